/** The look of the demonstration's message box: the portal's colours (white surfaces on paper), system fonts, no script. */
export const demoMessagesStyle = `
:root { color-scheme: light; --ink: #0e2433; --ink-2: #33495a; --paper: #f2f6f6; --line: #d2dde0; --brand: #114b63; --lak: #8e1f33; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 'Atkinson Hyperlegible Next Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
[lang='en'] { color: var(--ink-2); }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1.5rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; justify-content: space-between; padding-top: 2.5rem; padding-bottom: 1.5rem; }
header p { max-width: 40rem; margin: .5rem 0 0; }
h1 { margin: 0; font: 600 2rem/1.2 'Brygada 1918 Variable', Georgia, 'Times New Roman', serif; text-wrap: balance; }
h1 span { display: block; font-size: 1.25rem; }
.refresh { display: inline-flex; gap: .5ch; align-items: center; min-height: 44px; padding: 0 1.25rem; border-radius: 10px; background: var(--brand); color: #fff; font-weight: 600; text-decoration: none; }
.refresh span { color: inherit; font-weight: 400; }
.refresh span::before { content: '/ '; }
.refresh:hover { background: #0d3a50; }
a { color: var(--brand); }
a:focus-visible { outline: 3px solid #1457d9; outline-offset: 2px; }
ol { display: grid; gap: 1rem; margin: 0; padding: 0 0 3rem; list-style: none; }
li, .empty { padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-left: 4px solid var(--brand); border-radius: 16px; background: #fff; }
li.sms { border-left-color: var(--lak); }
.empty { margin: 0; }
.meta { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; font-size: .9375rem; }
.channel { padding: 0 .625rem; border-radius: 6px; background: #e3f0f4; color: #114b63; font-weight: 600; }
.sms .channel { background: #f8e9ec; color: #7d1a2c; }
.to { flex: 1 1 20ch; min-width: 0; overflow-wrap: anywhere; }
time { margin-left: auto; color: var(--ink-2); font-variant-numeric: tabular-nums; }
h2 { margin: .75rem 0 0; font: 600 1.25rem/1.3 'Brygada 1918 Variable', Georgia, 'Times New Roman', serif; overflow-wrap: anywhere; }
.code { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; margin: .75rem 0 0; }
.code .label > span::before { content: '/ '; }
.code strong { font: 600 2.25rem/1.2 'Atkinson Hyperlegible Mono Variable', ui-monospace, 'SF Mono', Consolas, monospace; letter-spacing: .12em; user-select: all; }
.text { margin: .75rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { display: flex; flex-wrap: wrap; gap: 0 .5ch; align-items: center; min-height: 44px; margin-top: .5rem; color: var(--brand); cursor: pointer; text-decoration: underline; }
summary [lang='en']::before { content: '/ '; }
summary:focus-visible { outline: 3px solid #1457d9; outline-offset: 2px; }
iframe { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 10px; background: #fff; }
.sms .text { color: var(--ink-2); }
@media (max-width: 40rem) {
  header, main { padding-right: 1rem; padding-left: 1rem; }
  header { padding-top: 1.5rem; }
  h1 { font-size: 1.75rem; }
  li, .empty { padding: 1rem; }
  time { width: 100%; margin-left: 0; }
}
`
