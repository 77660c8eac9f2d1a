/** The portal cannot start; the message is for the operator. */
export class StartupError extends Error {}

/** The configuration is wrong, so a restart without a change is useless: the program ends with exit code 2. */
export class ConfigurationError extends StartupError {}
