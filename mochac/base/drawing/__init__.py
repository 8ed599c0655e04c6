"""Pictures as SVG and tables as HTML, of numbers and boxes; no other program is needed."""
