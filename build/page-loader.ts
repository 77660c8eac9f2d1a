import { lostPhoneLink } from '../contract/lost-phone-link.ts'

const typefaces = '1em "Brygada 1918 Variable","Atkinson Hyperlegible Next Variable","Sygnet Zero"'

type Loader = {
  /** File names within the assets. */
  files: string[]
  /** Whether typefaces that are not in the cache yet wait for the next page, as on signed-in pages, where the text would move. */
  keepsFonts: boolean
  /** Files that the page also needs if its address says more than the server reads. */
  arrival?: { on: keyof typeof arrivals; files: string[] } | undefined
}

/**
 * State that only the script knows and that replaces the form; the form stays hidden until then. `login`: the reason of
 * arrival is shown above the form, which waits for it, or it would shift. `lostPhone`: the link of a mail has its token
 * in the fragment, or after a reload in the storage, which may be blocked.
 */
const arrivals = {
  login: (push: string) => `if(/[?&]reason=/.test(location.search)){r.dataset.arriving="";${push}}`,
  lostPhone: (push: string) =>
    `try{if(location.hash.startsWith(${JSON.stringify(lostPhoneLink.before)})||sessionStorage.getItem(${JSON.stringify(lostPhoneLink.key)})!=null){r.dataset.link="";${push}}}catch{}`,
}

/**
 * Style of the page when it is opened by a mail's link for a lost phone: an outline instead of the form. Unless the script cannot be
 * loaded, it decides what follows.
 */
export const linkStyle =
  '[data-link]:not([data-unloaded]) .link-wait{display:block}[data-link]:not([data-unloaded]) .link-request{display:none}'

/**
 * Returns the only inline script of a page, in its head: it hydrates the page. A page can be read before that, so the script and the fonts
 * wait for the first paint and do not delay it. If a file cannot be loaded, the script retries once, and then a notice on the page says so
 * (ERR-4).
 */
export function pageLoader({ files, keepsFonts, arrival }: Loader) {
  return [
    '(()=>{',
    'const d=document,r=d.documentElement,c=JSON.parse(d.getElementById("config").textContent),',
    `f=${JSON.stringify(files)},`,
    'l=()=>Promise.all(f.map(n=>import(c.assets+n))),',
    'g=()=>l().catch(l).catch(()=>{r.dataset.unloaded=""});',
    // Storage may be blocked; then fonts wait.
    'try{if(localStorage.getItem("fonts"))r.dataset.fonts=""}catch{}',
    // Passkeys belong to domain names, and a page at an IP address has none (WebAuthn §5.1.2). The form must know it before its
    // first paint: a button that is removed later would shift the ones below it.
    'if(!self.PublicKeyCredential||/^(?:[\\d.]+|\\[.*\\])$/.test(location.hostname))r.dataset.keyless="";',
    arrival ? arrivals[arrival.on](`f.push(...${JSON.stringify(arrival.files)})`) : '',
    // An animation frame comes before its paint, so the loader waits for the paint itself, but no longer than a second.
    // The typefaces load together, so that the layout changes only once; in a task of their own, because that takes a phone as long.
    `let h=()=>{h=()=>{};g();setTimeout(()=>{const s=()=>${keepsFonts ? '{}' : 'r.dataset.fonts=""'};d.fonts.load(${JSON.stringify(typefaces)},r.innerText).then(s,s)})};`,
    'if(d.hidden)h();else{',
    'try{new PerformanceObserver(()=>setTimeout(()=>h())).observe({type:"paint",buffered:true})}catch{}',
    'setTimeout(()=>h(),1e3)}',
    '})()',
  ].join('')
}
