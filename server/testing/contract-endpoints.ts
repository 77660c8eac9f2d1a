import type { Endpoint } from '../../contract/endpoint.ts'

/** The modules of the contract, without the desk: it is at another origin, and no program calls it. */
const modules = import.meta.glob<Record<string, unknown>>(
  ['../../contract/**/*.ts', '!../../contract/**/*.test.ts', '!../../contract/desk/*.ts'],
  { eager: true },
)
const isEndpoint = (value: unknown): value is Endpoint =>
  value instanceof Object && 'method' in value && 'path' in value && 'access' in value

/** The endpoints of the contract but those of the desk. */
export const contractEndpoints = Object.values(modules).flatMap((module) => Object.values(module).filter(isEndpoint))
