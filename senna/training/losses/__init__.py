"""What training minimises: criteria of tags, roles and trees."""
