"""What a user calls: compile, Program, estimators; explain, dump, profile and the report of what was compiled."""
