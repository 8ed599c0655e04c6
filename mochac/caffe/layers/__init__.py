"""What each type of Caffe's layers becomes, one or a few types a file."""
