"""The small read-only objects that a strategy gets: parameters, positions, orders, receipts and events."""


class Record:
    """Named values, read as attributes or by key."""

    __slots__ = ("_fields",)

    def __init__(self, fields):
        object.__setattr__(self, "_fields", fields)

    def __getattr__(self, name):
        fields = object.__getattribute__(self, "_fields")
        if name in fields:
            return fields[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; it has {', '.join(fields) or 'nothing'}")

    def __getitem__(self, name):
        return self._fields[name]

    def __contains__(self, name):
        return name in self._fields

    def __iter__(self):
        return iter(self._fields)

    def __len__(self):
        return len(self._fields)

    def __eq__(self, other):
        return type(other) is type(self) and other._fields == self._fields

    __hash__ = None

    def keys(self):
        """The names."""
        return self._fields.keys()

    def items(self):
        """The names with their values."""
        return self._fields.items()

    def get(self, name, default=None):
        """A value, or the default if there is no such name."""
        return self._fields.get(name, default)

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._fields.items())})"


class Parameters(Record):
    """The parameters of this run."""

    __slots__ = ()


class Position(Record):
    """An open position: symbol, quantity (negative when short), average_price, price, market_value, unrealised_pnl."""

    __slots__ = ()


class Order(Record):
    """A resting order."""

    __slots__ = ()


class Event(Record):
    """An event since the last decision; its `type` says which."""

    __slots__ = ()


class Receipt:
    """Result of an order, a cancellation or a rebalance.

    It is requested from the engine when it is first read, so an order whose receipt nobody reads costs no round trip.
    """

    __slots__ = ("_desk", "_place", "_fields")

    def __init__(self, desk, place):
        self._desk = desk
        self._place = place
        self._fields = None

    def _read(self):
        if self._fields is None:
            self._fields = self._desk._receipt(self._place)
        return self._fields

    @property
    def accepted(self):
        """True if the engine accepted it."""
        return bool(self._read().get("accepted"))

    @property
    def id(self):
        """The number of the order; None if it was refused."""
        return self._read().get("id")

    @property
    def code(self):
        """The code of the refusal; None if it was accepted."""
        return self._read().get("code")

    @property
    def message(self):
        """The reason of the refusal with its numbers; None if it was accepted."""
        return self._read().get("message")

    @property
    def remedy(self):
        """What would be accepted; None if it was accepted."""
        return self._read().get("remedy")

    @property
    def details(self):
        """Everything that the engine reported, as a dict."""
        return dict(self._read())

    def __bool__(self):
        return self.accepted

    def __repr__(self):
        return f"Receipt({self._read()!r})"
