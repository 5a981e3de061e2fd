import { say, type Texts } from './languages.ts'

/** The texts of the pages of collect links, one line for each language. `{name}` is a placeholder. */

/** The texts that the browser's scripts use on this page instead of those for a payout's recipient. */
export const onCollectForm = {
  payWith: say('What would you like to save?', 'Was möchten Sie hinterlegen?', 'Que souhaitez-vous enregistrer ?'),
  moreWays: say('More ways', 'Weitere Möglichkeiten', 'Autres possibilités'),
  notTaken: say(
    'This cannot be saved. Check what you have entered, or choose another method.',
    'Das kann nicht hinterlegt werden. Prüfen Sie Ihre Angaben, oder wählen Sie eine andere Möglichkeit.',
    'Cela ne peut pas être enregistré. Vérifiez votre saisie ou choisissez une autre possibilité.',
  ),
} satisfies Record<string, Texts>

/** The texts that only the page itself uses. */
export const onCollectPage = {
  collectedBy: say('Your details for {merchant}', 'Ihre Angaben für {merchant}', 'Vos informations pour {merchant}'),
  collectSays: say(
    'Save the details that {merchant} asks for.',
    'Hinterlegen Sie die Angaben, um die {merchant} Sie bittet.',
    'Enregistrez les informations que {merchant} vous demande.',
  ),
  collectTerms: say(
    '{merchant} keeps these details so that you need not type them again. You can have them deleted at any time.',
    '{merchant} bewahrt diese Angaben auf, damit Sie sie nicht noch einmal eingeben müssen. Sie können sie jederzeit löschen lassen.',
    '{merchant} conserve ces informations pour que vous n’ayez pas à les saisir de nouveau. Vous pouvez les faire supprimer à tout moment.',
  ),
  saveDetails: say('Save', 'Speichern', 'Enregistrer'),
  noCollecting: say(
    'Nothing can be saved at the moment. Please contact {merchant}.',
    'Hier kann im Augenblick nichts hinterlegt werden. Bitte wenden Sie sich an {merchant}.',
    'Rien ne peut être enregistré pour le moment. Veuillez contacter {merchant}.',
  ),
  savedFor: say('Saved for', 'Hinterlegt bei', 'Enregistré pour'),
} satisfies Record<string, Texts>

/** The state of a link, as shown to its visitor. */
export type CollectStands = 'submitted' | 'expired'
export const collectOutcomes: Record<CollectStands, { heading: Texts; message: Texts }> = {
  submitted: {
    heading: say('Your details are saved', 'Ihre Angaben sind hinterlegt', 'Vos informations sont enregistrées'),
    message: say('You do not need to do anything else.', 'Sie brauchen nichts weiter zu tun.', 'Vous n’avez plus rien à faire.'),
  },
  expired: {
    heading: say('This link has expired', 'Dieser Link ist abgelaufen', 'Ce lien a expiré'),
    message: say(
      'Nothing was saved. Ask the sender of this link for a new one.',
      'Es wurde nichts hinterlegt. Bitten Sie dort um einen neuen Link, woher Sie diesen haben.',
      "Rien n'a été enregistré. Demandez un nouveau lien à qui vous a envoyé celui-ci.",
    ),
  },
}
