/** A start that cannot be; the message is a sentence for the operator. */
export class Unstartable extends Error {}

/** The configuration is at fault, so that starting again without a change is no use: the program ends with 2. */
export class Misconfigured extends Unstartable {}
