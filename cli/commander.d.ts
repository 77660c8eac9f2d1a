/** The package's own types, with those of arguments and options inferred. */
declare module 'commander' {
  export * from '@commander-js/extra-typings'
}
