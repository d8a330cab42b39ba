"""Operations of HTTP APIs: how a call becomes a request, and what requests and answers contain. Sends nothing."""
