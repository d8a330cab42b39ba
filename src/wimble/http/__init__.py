"""Operations of HTTP APIs: how a call is written as a request, and what requests and answers hold. Sends nothing."""
