/**
 * The one inline script of a page: it brings the page to life. Signed-out pages are read at once, so their script waits for the
 * first paint and takes nothing from it; a signed-in page has little to show before its script, which therefore starts at once.
 * When a file cannot be loaded it tries once more, and then a notice of the page says so (ERR-4).
 */
export function pageLoader({ files, screens, afterPaint }: { files: string[]; screens: Record<string, string>; afterPaint: boolean }) {
  return [
    '(()=>{',
    'const d=document,',
    'a=JSON.parse(d.getElementById("config").textContent).assets,',
    `s=${JSON.stringify(screens)}[location.pathname.replace(/^\\/en(?=\\/)/,"")],`,
    `f=${JSON.stringify(files)}.concat(s||[]),`,
    'l=()=>Promise.all(f.map(n=>import(a+n))),',
    'g=()=>l().catch(l).catch(()=>{d.documentElement.dataset.unloaded=""});',
    afterPaint ? 'd.hidden?g():requestAnimationFrame(()=>setTimeout(g))' : 'g()',
    '})()',
  ].join('')
}
