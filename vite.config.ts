import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractForBrowser, limitsForBrowser, routerForBrowser } from './build/lighter-modules.ts'

type Modules = { getModuleInfo: (id: string) => { importers: string[]; dynamicImporters: string[] } | null }

/**
 * Assigns to a shared chunk what a screen behind the sign-in shows at once and something else needs too, such as another screen or a dialog
 * that is loaded on demand. Otherwise each such module would be a file of its own.
 */
function sharedWithScreens(id: string, modules: Modules): string | null {
  const users = new Set([id])
  for (const each of users) for (const importer of modules.getModuleInfo(each)?.importers ?? []) users.add(importer)
  const loaded = [...users].filter((each) => modules.getModuleInfo(each)?.dynamicImporters.length)
  const isForVisitors = loaded.some((each) => forVisitors.test(each))
  return loaded.length > 1 && !isForVisitors && loaded.some((each) => screens.test(each)) ? 'shared' : null
}
const screens = /-(?:screen|cards)\.tsx$/
const forVisitors = /web[\\/](?:(?:account|registration|errors|legal|faq|phone)[\\/]|status-requests[\\/]lost-phone)/

/** The browser's part. build/build.ts runs it twice: for the browser, and for the server to render with. */
export default defineConfig({
  plugins: [contractForBrowser(), limitsForBrowser(), routerForBrowser(), react()],
  // Files name each other relatively, so one build can be served from any assets directory (HTT-2).
  base: './',
  publicDir: false,
  build: {
    target: 'es2023',
    // Inlined files would be `data:` addresses, which the policy for fonts does not allow (R64).
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Only what is used of them is loaded.
      treeshake: { moduleSideEffects: [{ test: /@simplewebauthn|[\\/]contract[\\/]/, sideEffects: false }] },
      output: {
        codeSplitting: {
          // Few files a page: what every page needs, which includes the login page; the menu; and the parts of the screens
          // behind it.
          groups: [
            { name: 'core', test: /web[\\/](?:start[\\/]main|account[\\/]login-screen)\.tsx$/, priority: 4 },
            // Loaded by the login page once it is shown, where there can be passkeys: it must not bring the menu.
            { name: 'passkeys', test: /web[\\/](?:account[\\/]passkey-entry|step-up[\\/]passkey-device)/, priority: 3 },
            // Loaded by the signed-out pages when a call fails.
            {
              name: 'failures',
              test: /web[\\/]text[\\/](?:failure-(?:text|answer)|answer-link|questions)/,
              priority: 2,
            },
            {
              name: 'blocks',
              test: /web[\\/](?:art[\\/]|ui[\\/](?:badge|region|skeleton|empty|copy-button|description-list|section-card|checkbox|code-field)|text[\\/]identifier-text|phone[\\/]masked-phone|consents[\\/](?:wording-dialog|wordings)\.|step-up[\\/]passkey-support)|contract[\\/](?:passkeys|document-text)\.ts/,
              priority: 2,
            },
            {
              name: 'legal',
              test: /web[\\/](?:legal[\\/]legal-page|ui[\\/]prose)|contract[\\/]legal[\\/]legal-sections/,
              priority: 2,
            },
            { name: 'menu', test: /web[\\/](?:start[\\/]page-data|layouts[\\/](?:default|focus)-layout)/, priority: 1 },
            { name: 'phone', test: /libphonenumber|contract[\\/]rules[\\/]phone/, priority: 1 },
            // Calls whose forms read phone numbers, for which the largest library is needed, stay with their dialogs. What only
            // the seals or the timestamps need stays with their screens.
            {
              name: sharedWithScreens,
              test: /^(?!.*(?:contract[\\/](?:seal-user|seal-recipient|phone-)|seals[\\/]seal-name|timestamps[\\/]account-balance))/,
            },
            // What only pages for visitors and dialogs share: the name of each file is in every page's loader.
            {
              name: 'consents',
              test: /contract[\\/](?:consents|legal[\\/]consent-statements)|web[\\/]consents[\\/]consent-fields/,
            },
            { name: 'mailbox', test: /web[\\/]step-up[\\/](?:mailbox-help|resend)\./ },
            { name: 'links', test: /web[\\/](?:account[\\/](?:dead-link|link-check)|app[\\/]mailed-token)/ },
          ],
        },
      },
    },
  },
})
