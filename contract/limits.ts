const second = 1
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Every number of the specification that more than one place needs. Times in seconds unless the name says otherwise. */
export const limits = {
  code: {
    digits: 6,
    life: 10 * minute,
    /** So long after its success the same request gets the same answer. */
    repeated: 10 * second,
    entries: 5,
    resendAfter: 60 * second,
    sends: 3,
    pauseAfterSends: 15 * minute,
    /** The customer is told how many entries are left from this wrong entry on. */
    entriesLeftShownFrom: 3,
    wrongPerPurpose: { limit: 10, window: day },
    wrongWithoutSuccess: 100,
    sendsPerRecipient: { limit: 10, window: day },
    sendsPerAddress: { limit: 30, window: day },
    sendsKeptForSignIn: 2,
    /** Messages in a day to one range of numbers, unless the operator says otherwise. */
    sendsPerRange: 500,
    /** So large a part of them goes, on top, to numbers of the range that nobody has confirmed (R115). */
    unconfirmedOfRange: 0.2,
  },
  session: {
    idle: 15 * minute,
    warning: 2 * minute,
    absolute: 8 * hour,
    stepUp: 5 * minute,
    pending: 10 * minute,
  },
  /** `challenge`: so long one may be answered. */
  passkeys: { most: 10, name: 60, challenge: 5 * minute, tries: { limit: 20, window: hour } },
  /** `exported`: entries of the history in one file, the newest. */
  activity: { exported: 20_000, exports: { limit: 20, window: hour } },
  /** `offered`: so long the file of all own data can be fetched, and so long its making is tried. `history`: entries of the PDF; the JSON has all. */
  dataExport: { offered: day, requests: { limit: 3, window: day }, history: 1000, bytes: 67_108_864 },
  password: { min: 13, max: 128, remembered: 5 },
  signIn: {
    pause: { limit: 5, window: 15 * minute },
    botCheckFrom: 3,
    block: { limit: 10, window: day },
    /** Wrong passwords for one name from unknown devices, from which on each of them needs the bot check (R118). */
    attack: { limit: 3, window: day },
    /** Wrong passwords for whatever logins, from one address, beyond which each needs the bot check, and from its neighbourhood (R28). */
    wrongPerAddress: { limit: 60, window: hour },
    wrongPerSubnet: { limit: 300, window: hour },
  },
  /** So long a device stays known after a sign-in. */
  device: { days: 180 },
  link: { reset: 30 * minute, registration: day, invitation: 7 * day },
  /**
   * `perAccount`: mails for one account by one network or known device. `byStrangers`: for one account by all unknown devices;
   * beyond either one in `spaced`, which is less than a link lives, so that a link which works is always there (R119).
   */
  reset: {
    perAccount: { limit: 3, window: hour },
    perAddress: { limit: 10, window: hour },
    byStrangers: { limit: 20, window: day },
    spaced: { limit: 1, window: 20 * minute },
  },
  /** `kept`: how long the data of a registration is kept whose link was never used. */
  registration: {
    perHour: { limit: 5, window: hour },
    perDay: { limit: 10, window: day },
    perEmail: { limit: 3, window: hour },
    kept: 7 * day,
  },
  /**
   * `sends`: SMS to a number that nobody has confirmed, whoever asks for them; longer ago than `window`, the number may have another
   * owner. `corrections`: other numbers that one account may enter in a day.
   */
  phoneConfirmation: { sends: { limit: 2, window: 365 * day }, corrections: { limit: 3, window: day } },
  pairing: { visible: 5 * minute, secretBits: 160, period: 30, digits: 6, wrong: { limit: 5, window: 15 * minute } },
  /** Codes of one invitation, and invitations to one e-mail, in a day; users of one seal, unless the operator says otherwise. */
  seal: {
    codes: { limit: 3, window: day },
    invitations: { limit: 3, window: day },
    users: 50,
    administratorsShown: 3,
    invitationsShown: 20,
  },
  /** `usageDays`: days of one page of the usage; notices go out that many days before a package ends. */
  timestamps: {
    password: { min: 8, max: 128, changes: { limit: 10, window: hour } },
    lowPercent: 10,
    endNoticeDays: [30, 7],
    usageDays: 30,
  },
  /**
   * `codes`: repeated mails of one access code. `signings`: preparations to sign in place. `staged`: so long an upload waits for its confirmation. `check`: so long one
   * check may take (R44, R46).
   */
  documents: {
    codeResendAfter: 60 * second,
    codes: { limit: 3, window: day },
    uploads: { limit: 20, window: hour },
    signings: { limit: 20, window: hour },
    staged: 45 * minute,
    check: 5 * second,
    retryAfter: 60 * second,
  },
  /**
   * What one file may make the portal ask of authorities (R104): about so many certificates, each with at most so many above it, by so
   * many calls and for so long in all; `ocsp` and `list`: bytes of an answer. `kept`: bytes of answers that a node keeps.
   */
  revocation: {
    certificates: 8,
    pathLength: 8,
    calls: 12,
    call: 4 * second,
    together: 10 * second,
    ocsp: 65_536,
    list: 8_388_608,
    kept: 33_554_432,
  },
  /** `wrong`: entries of all steps together. `codes`: SMS to new numbers, whichever they are. `redirect`: after the success. */
  phoneChange: { wrong: { limit: 5, window: day }, codes: { limit: 10, window: day }, redirect: 10 * second },
  /** `window`: days before the end from which on a certificate can be renewed; `ahead`: days to the latest chosen beginning. */
  renewal: { window: 90, ahead: 60, shortest: 30, draft: 14 * day, pollEvery: 3 * second, pollFor: 2 * minute },
  /** Wrong voucher and renewal codes of one account and from one address; codes that the provider asks for at once. */
  voucher: {
    wrongPerAccount: { limit: 5, window: day },
    wrongPerAddress: { limit: 20, window: hour },
    codesAtOnce: 200,
  },
  /**
   * `evidenceYears`: so long certificates, agreements and signed documents of an erased account are held. `failedMessages`: and so
   * long what could not be sent waits for an operator.
   */
  retention: { evidenceYears: 20, failedMessages: 30 * day },
  /** `burst`: seconds whose calls may come at once. `wrong`: requests of one address with a key that is none. */
  clientKey: {
    wrong: { limit: 60, window: hour },
    perSecond: 20,
    perSecondMost: 1000,
    burst: 10,
    days: 365,
    daysMost: 1826,
    overlapHours: 24,
  },
  /** One call: bytes, lines and bytes of one. `together`: customers of one transaction. */
  customerImport: { bytes: 1_048_576, lines: 2000, lineBytes: 16_384, together: 250 },
  /** `kept`: so long an event can be asked for. `page`: most of them in one answer. */
  events: { kept: 90 * day, page: 500, usual: 100 },
  /**
   * `call`: so long one delivery may take, and `answer`: bytes that are read of what it is answered with. `atOnce`: deliveries
   * to one webhook; `open`: messages of one in the outbox, behind which its events wait in the feed. `earlier`: so long a
   * secret that was replaced signs beside the new one.
   */
  webhooks: { call: 10 * second, answer: 65_536, atOnce: 5, open: 500, earlier: day, url: 1000 },
  list: { sizes: [20, 50, 100], size: 20, toolsBeyond: 8 },
  badge: { amberDays: 60, strongDays: 14 },
  /** Days for which home names what has expired, and what is new and not in use yet (HOM-3). */
  home: { overDays: 14, newDays: 60 },
  /** Days before a certificate’s end on which its owner is reminded; `always` of them, the last, cannot be switched off. */
  reminders: { days: [60, 30, 14, 7, 3, 1], always: 2 },
  /** Characters of the field, and of a pasted text; digits of a national number; country lookups of one address. */
  phone: { shown: 25, read: 250, national: { min: 2, max: 17 }, lookups: { limit: 30, window: hour } },
  text: { name: 100, login: 64, email: 254, search: 100, words: 300, described: 400, version: 40 },
  /**
   * Requests of one network address to one node: so many seconds' worth may come at once. 1000 at once and 100 a second are
   * enough for an office of 200 people who all open the portal at nine. `addresses`: so many are kept in mind.
   */
  requests: { perSecond: 100, burst: 10, addresses: 50_000 },
  /** What a node takes of browsers' reports: in a second, of how many bytes, and of how many violations in one (R126). */
  cspReports: { perSecond: 20, bytes: 16_384, each: 10 },
  http: {
    jsonBytes: 64 * 1024,
    urlBytes: 2048,
    headerBytes: 16 * 1024,
    pdfBytes: 10_485_760,
    signatureBytes: 1_048_576,
    /** So long the sender of a body that goes on after its refusal has to read the answer. */
    unreadMs: 1000,
  },
  localeCookieDays: 365,
  buildCheckMs: 3_600_000,
  toast: { durationMs: 5000, removeAfterMs: 1_000_000, swipePx: 50 },
  validationDelayMs: 5,
} as const

/** So many within so many seconds. */
export type Allowance = { limit: number; window: number }
