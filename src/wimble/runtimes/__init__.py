"""The languages and platforms that SUTs run on: one `Runtime` object per agent, one room per runtime."""
