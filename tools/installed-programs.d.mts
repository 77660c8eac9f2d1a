export function browserPath(): string | undefined
export function isInstalled(program: string): boolean
