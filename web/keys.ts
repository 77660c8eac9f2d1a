/** The names of a table's entries; only for tables whose type names all of them. */
export const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[]
