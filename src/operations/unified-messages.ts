/**
 * The messages of unified codes in the languages of shoppers; English is in `failure.ts`. Texts of processors and of
 * rules stay.
 */
type Codes = 'UE_1000' | 'UE_2000' | 'UE_3000' | 'UE_4000' | 'UE_9000'

const messages: Readonly<Record<string, Readonly<Record<Codes, string>>>> = {
  ar: {
    UE_1000: 'رُفضت طريقة الدفع. جرّب طريقة أخرى أو تواصل مع الجهة المصدرة لها.',
    UE_2000: 'حساب معالج الدفع غير مهيأ لهذا.',
    UE_3000: 'واجه معالج الدفع مشكلة تقنية. حاول مرة أخرى لاحقًا.',
    UE_4000: 'لم يقبل معالج الدفع الطلب كما أُرسل.',
    UE_9000: 'حدث خطأ ما.',
  },
  de: {
    UE_1000: 'Die Zahlungsart wurde abgelehnt. Versuchen Sie es mit einer anderen, oder fragen Sie deren Herausgeber.',
    UE_2000: 'Das Konto beim Zahlungsdienstleister ist hierfür nicht eingerichtet.',
    UE_3000: 'Der Zahlungsdienstleister hatte eine technische Störung. Versuchen Sie es später noch einmal.',
    UE_4000: 'Der Zahlungsdienstleister hat die Anfrage so nicht angenommen.',
    UE_9000: 'Etwas ist schiefgegangen.',
  },
  es: {
    UE_1000: 'El método de pago fue rechazado. Pruebe con otro o contacte con su emisor.',
    UE_2000: 'La cuenta del procesador no está configurada para esto.',
    UE_3000: 'El procesador tuvo un problema técnico. Inténtelo de nuevo más tarde.',
    UE_4000: 'El procesador no aceptó la solicitud tal como se envió.',
    UE_9000: 'Algo ha salido mal.',
  },
  fr: {
    UE_1000: 'Le moyen de paiement a été refusé. Essayez-en un autre ou contactez son émetteur.',
    UE_2000: "Le compte du prestataire de paiement n'est pas configuré pour cela.",
    UE_3000: 'Le prestataire de paiement a rencontré un problème technique. Réessayez plus tard.',
    UE_4000: "Le prestataire de paiement n'a pas accepté la demande telle quelle.",
    UE_9000: "Une erreur s'est produite.",
  },
  it: {
    UE_1000: 'Il metodo di pagamento è stato rifiutato. Ne provi un altro o contatti chi lo ha emesso.',
    UE_2000: 'Il conto presso il fornitore di pagamenti non è configurato per questo.',
    UE_3000: 'Il fornitore di pagamenti ha avuto un problema tecnico. Riprovi più tardi.',
    UE_4000: 'Il fornitore di pagamenti non ha accettato la richiesta così come inviata.',
    UE_9000: 'Qualcosa è andato storto.',
  },
  ja: {
    UE_1000: 'お支払い方法が拒否されました。別の方法を試すか、発行元にお問い合わせください。',
    UE_2000: '決済事業者のアカウントがこれに対応していません。',
    UE_3000: '決済事業者に技術的な問題が発生しました。後でもう一度お試しください。',
    UE_4000: '決済事業者がリクエストを受け付けませんでした。',
    UE_9000: '問題が発生しました。',
  },
  nl: {
    UE_1000: 'De betaalmethode is geweigerd. Probeer een andere of neem contact op met de uitgever.',
    UE_2000: 'Het account bij de betaaldienst is hiervoor niet ingesteld.',
    UE_3000: 'De betaaldienst had een technisch probleem. Probeer het later opnieuw.',
    UE_4000: 'De betaaldienst heeft het verzoek zo niet geaccepteerd.',
    UE_9000: 'Er is iets misgegaan.',
  },
  pl: {
    UE_1000: 'Metoda płatności została odrzucona. Spróbuj innej lub skontaktuj się z jej wydawcą.',
    UE_2000: 'Konto u operatora płatności nie jest do tego skonfigurowane.',
    UE_3000: 'Operator płatności miał problem techniczny. Spróbuj ponownie później.',
    UE_4000: 'Operator płatności nie przyjął żądania w tej postaci.',
    UE_9000: 'Coś poszło nie tak.',
  },
  pt: {
    UE_1000: 'O método de pagamento foi recusado. Tente outro ou contacte o emissor.',
    UE_2000: 'A conta do processador não está configurada para isto.',
    UE_3000: 'O processador teve um problema técnico. Tente novamente mais tarde.',
    UE_4000: 'O processador não aceitou o pedido tal como foi enviado.',
    UE_9000: 'Algo correu mal.',
  },
  sv: {
    UE_1000: 'Betalningssättet nekades. Prova ett annat eller kontakta utgivaren.',
    UE_2000: 'Kontot hos betaltjänsten är inte inställt för detta.',
    UE_3000: 'Betaltjänsten hade ett tekniskt problem. Försök igen senare.',
    UE_4000: 'Betaltjänsten godtog inte begäran som den skickades.',
    UE_9000: 'Något gick fel.',
  },
  zh: {
    UE_1000: '付款方式被拒绝。请换一种方式，或联系发行机构。',
    UE_2000: '支付机构的账户未为此设置。',
    UE_3000: '支付机构出现技术问题。请稍后再试。',
    UE_4000: '支付机构未接受该请求。',
    UE_9000: '出了点问题。',
  },
}

/** Chinese in traditional characters. The texts are in simplified ones. */
const TRADITIONAL = /^zh[-_](?:hant|tw|hk|mo)\b/i

/** Returns the first of these languages that has messages; undefined if English comes first, or none has. */
function languageOf(tags: readonly string[]): string | undefined {
  // Browsers add `zh` after `zh-TW`, which then means the same characters.
  const isTraditional = tags.some(tag => TRADITIONAL.test(tag))
  const known = tags
    .filter(tag => !TRADITIONAL.test(tag) && !(isTraditional && tag.toLowerCase() === 'zh'))
    .map(tag => tag.toLowerCase().split(/[-_]/)[0]!)
    .find(language => language === 'en' || Object.hasOwn(messages, language))
  return known === 'en' ? undefined : known
}

/**
 * The message in the first known language (`de-AT`); `english` if none is known, or if that is not the code's usual
 * message.
 */
export function unifiedIn(languages: readonly string[], code: string, english: string, usual: string | undefined): string {
  const language = english === usual ? languageOf(languages) : undefined
  const own = language === undefined ? undefined : messages[language]
  return own && Object.hasOwn(own, code) ? own[code as Codes] : english
}
