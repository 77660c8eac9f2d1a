/** What the login page shows after the password, in one file, because the name of each takes bytes of the page (UIX-9). */
export { BlockedAccountDialog } from './blocked-account-dialog.tsx'
export { SignInEndNotice } from './sign-in-end-notice.tsx'
export { SignInCode } from './sign-in-code.tsx'
