const typefaces = ['Brygada 1918 Variable', 'Atkinson Hyperlegible Next Variable', 'Sygnet Zero']

type Loader = {
  files: string[]
  /** For the login page: what it needs in addition where the address has the reason of an arrival. */
  arrival?: string[]
  /** For the shell: path → what that page needs in addition. */
  screens?: Record<string, { files: string[]; styles: string[]; reads: string[] }>
  /** For the shell: what every page behind it reads. */
  reads?: string[]
}

/**
 * The only inline script of a page, in its head: it hydrates the page. A signed-out page can be read at once, so its script and
 * its fonts wait for the first paint and do not delay it. A signed-in page has little to show before its script and its data, so
 * both are fetched at once, and fonts that are not cached wait for them.
 * When a file cannot be loaded it retries once, and then a notice on the page says so (ERR-4).
 */
export function pageLoader({ files, arrival = [], screens, reads = [] }: Loader) {
  const load = [
    'l=()=>Promise.all(f.map(n=>import(c.assets+n))),',
    'g=()=>l().catch(l).catch(()=>{r.dataset.unloaded=""});',
  ]
  // Storage may be blocked; then fonts wait.
  const fonts = 'try{if(localStorage.getItem("fonts"))r.dataset.fonts=""}catch{}'
  const config = 'const d=document,r=d.documentElement,c=JSON.parse(d.getElementById("config").textContent),'
  // Passkeys belong to domain names, and a page at an IP address has none (WebAuthn §5.1.2). The form must know it before its
  // first paint: a button that is removed later would shift the ones below it.
  const keyless =
    'if(!self.PublicKeyCredential||/^(?:[\\d.]+|\\[.*\\])$/.test(location.hostname)||c.off.includes("passkeys"))r.dataset.keyless="";'
  if (!screens)
    return [
      '(()=>{',
      config,
      `f=${JSON.stringify(files)},`,
      ...load,
      fonts + ';',
      keyless,
      // The reason of arrival is shown above the form and known to the script only: the form waits for it, or it would shift.
      `if(/[?&]reason=/.test(location.search)){r.dataset.arriving="";f.push(...${JSON.stringify(arrival)})}`,
      // An animation frame comes before its paint, so the loader waits for the paint itself, but no longer than a second.
      // The typefaces load together, so that the layout changes only once.
      `let h=()=>{h=()=>{};g();const s=()=>r.dataset.fonts="";Promise.all(${JSON.stringify(typefaces)}.map(n=>d.fonts.load('1em "'+n+'"',r.innerText))).then(s,s)};`,
      'if(d.hidden)h();else{',
      'try{new PerformanceObserver(()=>setTimeout(()=>h())).observe({type:"paint",buffered:true})}catch{}',
      'setTimeout(()=>h(),1e3)}',
      '})()',
    ].join('')
  return [
    '(()=>{',
    config,
    `p=${JSON.stringify(screens)}[location.pathname.replace(/^\\/en(?=\\/)/,"")]||{},`,
    `f=${JSON.stringify(files)}.concat(p.files||[]),`,
    ...load,
    fonts + ';',
    keyless,
    'const k=o=>d.head.append(Object.assign(d.createElement("link"),o));',
    '(p.styles||[]).map(n=>k({rel:"stylesheet",href:c.assets+n}));',
    // The address that `call()` uses (HTT-2): a base that the path already begins with is not added again.
    'const b=c.baseURL.replace(/\\/$/,"");',
    `${JSON.stringify(reads)}.concat(location.search?[]:p.reads||[]).filter(u=>!c.off.some(o=>u==o||u.startsWith(o+"/"))).map(u=>k({rel:"preload",as:"fetch",crossOrigin:"anonymous",href:u.startsWith(b+"/")?u:b+u}));`,
    'g()',
    '})()',
  ].join('')
}
