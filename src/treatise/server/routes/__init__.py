"""The endpoints, one file per subject; ``app.ROUTERS`` lists them."""
