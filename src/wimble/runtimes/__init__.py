"""The languages and platforms that SUTs run on: each runtime has an agent, a `Runtime` object and a package here."""
