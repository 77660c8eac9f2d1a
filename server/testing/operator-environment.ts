import { randomBytes } from 'node:crypto'

/** What an operator sets for a portal in production, without its database, keys and data; its messages reach nobody. */
export const operatorEnvironment = () => ({
  PATH: process.env['PATH'],
  DEMONSTRATION: 'off',
  PUBLIC_URL: 'https://portal.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'portal@provider.example',
  SMS_GATEWAY: 'generic',
  SMS_URL: 'http://127.0.0.1:9/',
  SMS_TOKEN: randomBytes(16).toString('hex'),
  FEATURES_OFF: 'signing renewal file-signing file-check documents',
})
