"""A search whose tree can be inspected: its subject, the tree while it grows, and questions about its next step."""
