import type { FastifyInstance } from 'fastify'
import { htmlPage } from '../../provider/embedded-services.ts'
import { escapeHtml } from '../platform/messages/mail-template.ts'
import type { Attachment, MailPort, SmsPort } from '../platform/ports.ts'

type DemoMessage = {
  id: string
  channel: 'mail' | 'sms'
  to: string
  /** The subject of a mail; null for an SMS. */
  subject: string | null
  text: string
  html: string | null
  attachment?: Attachment | undefined
  sentAt: Date
}

export type MessageBox = {
  mail: MailPort
  sms: SmsPort
  /** Lists the kept messages, the newest first. */
  messages: () => readonly DemoMessage[]
}

/**
 * Replaces mail server and SMS gateway in the demonstration, and keeps the last `keep` messages in memory. Mails are also sent by
 * `mail`, if it is given. A repeated delivery is kept once.
 */
export function messageBox({
  mail,
  now,
  keep = 200,
}: {
  mail?: MailPort | undefined
  now: () => Date
  keep?: number
}): MessageBox {
  let kept: DemoMessage[] = []
  const put = (message: DemoMessage) => {
    if (!kept.some(({ id }) => id === message.id)) kept = [message, ...kept].slice(0, keep)
  }
  return {
    mail: {
      async send(message) {
        const { id, to, subject, text, html, attachment } = message
        put({ id, channel: 'mail', to, subject, text, html, attachment, sentAt: now() })
        await mail?.send(message)
      },
      close: async () => mail?.close(),
    },
    sms: {
      async send({ id, to, text }) {
        put({ id, channel: 'sms', to, subject: null, text, html: null, sentAt: now() })
      },
    },
    messages: () => kept,
  }
}

/** The look of the demonstration's message box: the portal's colours (white surfaces on paper), system fonts, no script. */
const demoMessagesStyle = `
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

/**
 * Serves the messages at `/demo/messages`, for people and as JSON, and each mail as a mail program shows it. Only for
 * the demonstration: it shows every code.
 */
export function serveMessageBox(app: FastifyInstance, box: MessageBox): void {
  const page = { config: { page: true } } as const
  app.get('/demo/messages.json', page, async () =>
    box.messages().map(({ channel, to, subject, text, attachment, sentAt }) => ({
      channel,
      to,
      subject,
      text,
      ...(attachment && { attachment: attachment.name }),
      sentAt,
    })),
  )
  app.get('/demo/messages.css', page, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(demoMessagesStyle),
  )
  app.get<{ Params: { id: string } }>('/demo/messages/mail/:id', page, ({ params }, reply) => {
    const html = box.messages().find(({ id }) => id === params.id)?.html
    return reply
      .code(html ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      )
      .send(html ?? '')
  })
  app.get('/demo/messages', page, (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .send(boxHtml(box.messages(), request.host)),
  )
}

const boxHtml = (messages: readonly DemoMessage[], host: string) =>
  htmlPage({
    title: 'Skrzynka demonstracyjna – Demonstration inbox',
    head: '<link rel="stylesheet" href="/demo/messages.css">',
    body: `<header>
<div>
<h1>Skrzynka demonstracyjna <span lang="en">Demonstration inbox</span></h1>
<p>Tu trafiają maile i${nbsp}SMS-y do klientów.<br><span lang="en">E-mails and text messages to customers land here.</span></p>
</div>
<a class="refresh" href="/demo/messages">Odśwież <span lang="en">Refresh</span></a>
</header>
<main>
${messages.length ? `<ol>\n${messages.map((message) => messageHtml(message, host)).join('')}</ol>` : emptyHtml}
</main>`,
  })

const nbsp = '\u00a0'

const emptyHtml = `<p class="empty">Nie ma jeszcze żadnej wiadomości. Zaloguj się, a${nbsp}kod pojawi się tutaj.<br><span lang="en">No messages yet. Sign in and the code will appear here.</span></p>`

const clock = new Intl.DateTimeFormat('pl-PL', { timeZone: 'Europe/Warsaw', dateStyle: 'short', timeStyle: 'medium' })

function messageHtml({ id, channel, to, subject, text, html, attachment, sentAt }: DemoMessage, host: string): string {
  const code = channel === 'sms' ? codeOf(text) : undefined
  return `<li class="${channel}">
<div class="meta"><span class="channel">${channel === 'sms' ? 'SMS' : 'E-mail'}</span> <span class="to">${escapeHtml(to)}</span> <time datetime="${sentAt.toISOString()}">${clock.format(sentAt)}</time></div>
${subject === null ? '' : `<h2>${escapeHtml(subject)}</h2>\n`}${code === undefined ? '' : `<p class="code"><span class="label">Kod <span lang="en">Code</span></span> <strong>${code}</strong></p>\n`}<p class="text">${textHtml(text, host)}</p>
${attachment ? attachmentHtml(attachment) : ''}${html === null ? '' : mailHtml(id)}</li>
`
}

/** Shows the mail as a mail program does, without script and isolated from the page. It is loaded when it is opened. */
const mailHtml = (id: string) => `<details>
<summary>Pokaż jak w${nbsp}programie pocztowym <span lang="en">Show as in a mail program</span></summary>
<iframe sandbox loading="lazy" title="E-mail" src="/demo/messages/mail/${encodeURIComponent(id)}"></iframe>
</details>
`

/** Shows the attachment as a data: link, so that the page needs no further request. */
function attachmentHtml({ name, type, content }: Attachment): string {
  const address = `data:${type};base64,${Buffer.from(content).toString('base64')}`
  return `<p><a href="${escapeHtml(address)}" download="${escapeHtml(name)}">${escapeHtml(name)}</a></p>\n`
}

/** Finds the code, which the last line of our SMS binds to the origin. */
const codeOf = (text: string) => /#(\d{6})\s*$/.exec(text)?.[1]

/** Writes a text as HTML. Only addresses of this host become links (R66). */
function textHtml(text: string, host: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => {
      const shown = escapeHtml(part)
      return index % 2 === 1 && isOurs(part, host) ? `<a href="${shown}">${shown}</a>` : shown
    })
    .join('')
}

function isOurs(address: string, host: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.host === host && !url.username && !url.password
}
