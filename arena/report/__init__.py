"""Reports: what a tournament says, as tables, pictures, Markdown, CSV and one HTML page."""
