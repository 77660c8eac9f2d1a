import type * as z from 'zod/mini'
import { camelCase } from '../database/described-rows.ts'
import { brandKeys } from './keys/brand-keys.ts'
import { deskKeys } from './keys/desk-keys.ts'
import { documentKeys } from './keys/document-keys.ts'
import type { ConfigurationKey } from './keys/key-schemas.ts'
import { messageKeys } from './keys/message-keys.ts'
import { providerKeys } from './keys/provider-keys.ts'
import { serverKeys } from './keys/server-keys.ts'
import { visitorKeys } from './keys/visitor-keys.ts'

/** The tables of the guide, in its order, with their titles. */
export const keyGroups: { title: string; keys: Record<string, ConfigurationKey> }[] = [
  { title: 'Where it listens and keeps things', keys: serverKeys },
  { title: 'Mails and SMS', keys: messageKeys },
  { title: 'Visitors and sessions', keys: visitorKeys },
  { title: 'Look and features', keys: brandKeys },
  { title: 'Documents and signatures', keys: documentKeys },
  { title: 'The provider’s other systems', keys: providerKeys },
  { title: 'The desk of your staff', keys: deskKeys },
]

/** The configuration keys. Values are texts, from the environment or the file named by SYGNET_CONFIG; nothing else is read. */
const configurationKeys = {
  ...serverKeys,
  ...messageKeys,
  ...visitorKeys,
  ...brandKeys,
  ...documentKeys,
  ...providerKeys,
  ...deskKeys,
}

export type KeyName = keyof typeof configurationKeys
type KeyValue<K extends KeyName> = z.output<(typeof configurationKeys)[K]['schema']>
/** The values by their keys. A value that another key needs is empty where it is not needed. */
export type Values = {
  [K in KeyName]: (typeof configurationKeys)[K] extends { standard: string } | { needed: object }
    ? KeyValue<K>
    : KeyValue<K> | undefined
}

/** The name that the code has for a key: `smsPerRange` for `SMS_PER_RANGE`. */
type NameOf<K extends string> = K extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<NameOf<Rest>>}`
  : Lowercase<K>
/** The values by the names that the code has for them. */
export type NamedValues = { [K in KeyName as NameOf<K>]: Values[K] }
export const namedValues = (values: Values): NamedValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [camelCase(key.toLowerCase()), value])) as NamedValues

export const keyNames = Object.keys(configurationKeys) as KeyName[]
export const keyOf = (name: KeyName): ConfigurationKey => configurationKeys[name]
