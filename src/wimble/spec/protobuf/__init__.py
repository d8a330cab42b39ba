"""Definitions of Protocol Buffers (`.proto`) -> services of gRPC and their messages."""
