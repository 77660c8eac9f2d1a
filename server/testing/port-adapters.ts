/** What the portal's own start makes of a configuration, for tests of how adapters are put together. */
export { verificationOf } from '../adapters/choose-adapters.ts'
