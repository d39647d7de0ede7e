from scoring.models.accounts import User

__all__ = ["User"]
