/** The error of a portal that cannot start; the message is for the operator. */
export class StartupError extends Error {}

/** The error of a wrong configuration: a restart without a change is useless, so the program ends with exit code 2. */
export class ConfigurationError extends StartupError {
  readonly errors: readonly string[]
  /** The warnings, which do not end the start but may explain an error: a misspelled name may be why a key is missing. */
  readonly warnings: readonly string[]
  constructor(errors: string | readonly string[], warnings: readonly string[] = []) {
    super([warnings, errors].flat(2).join('\n'))
    this.errors = [errors].flat()
    this.warnings = warnings
  }
}
