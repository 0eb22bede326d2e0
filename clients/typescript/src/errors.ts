// The errors of this package. Each is a `HoldfastError`; what the server said is in its message.

import type { Reason } from "./messages.js";

/** Any error of this package. */
export class HoldfastError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server refused a message. Nothing has changed, and the connection stays open. */
export class Refused extends HoldfastError {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(`${reason}: ${message}`);
  }
}

/** The server closed the connection, and reconnecting cannot help. */
export class Closed extends HoldfastError {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(`${reason}: ${message}`);
  }
}

/** A command was lost with the connection, which is open again: the game has not taken it. */
export class Interrupted extends HoldfastError {
  constructor() {
    super("the command was lost with the connection, which is open again");
  }
}

/** There is no connection, or it is lost and could not be opened again in time. */
export class ConnectionLost extends HoldfastError {}

/** The server sent something that this client does not understand. */
export class BadMessage extends HoldfastError {}

/** An argument is wrong, such as an address. */
export class BadArgument extends HoldfastError {}

/** No event came in the given time. */
export class TimedOut extends HoldfastError {}
