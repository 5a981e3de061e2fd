export const bankNames = `
  absa american_express affin_bank agro_bank alliance_bank am_bank bank_of_america bank_of_china bank_islam bank_muamalat bank_rakyat
  bank_simpanan_nasional barclays blik_p_s_p capital_one chase citi cimb_bank discover navy_federal_credit_union pentagon_federal_credit_union
  synchrony_bank wells_fargo abn_amro asn_bank bunq handelsbanken hong_leong_bank hsbc_bank ing knab kuwait_finance_house moneyou rabobank regiobank
  revolut sns_bank triodos_bank van_lanschot arzte_und_apotheker_bank austrian_anadi_bank_ag bank_austria bank99_ag bankhaus_carl_spangler
  bankhaus_schelhammer_und_schattera_ag bank_millennium bank_p_e_k_a_o_s_a bawag_psk_ag bks_bank_ag brull_kallmus_bank_ag btv_vier_lander_bank
  capital_bank_grawe_gruppe_ag ceska_sporitelna dolomitenbank easybank_ag e_platby_v_u_b erste_bank_und_sparkassen friesland_bank
  hypo_alpeadriabank_international_ag hypo_noe_lb_fur_niederosterreich_u_wien hypo_oberosterreich_salzburg_steiermark hypo_tirol_bank_ag
  hypo_vorarlberg_bank_ag hypo_bank_burgenland_aktiengesellschaft komercni_banka m_bank marchfelder_bank maybank oberbank_ag
  osterreichische_arzte_und_apothekerbank ocbc_bank pay_with_i_n_g place_z_i_p_k_o platnosc_online_karta_platnicza posojilnica_bank_e_gen
  postova_banka public_bank raiffeisen_bankengruppe_osterreich rhb_bank schelhammer_capital_bank_ag standard_chartered_bank schoellerbank_ag
  sparda_bank_wien sporo_pay santander_przelew24 tatra_pay viamo volksbank_gruppe volkskreditbank_ag vr_bank_braunau uob_bank pay_with_alior_bank
  banki_spoldzielcze pay_with_inteligo b_n_p_paribas_poland bank_nowy_s_a credit_agricole pay_with_b_o_s pay_with_citi_handlowy pay_with_plus_bank
  toyota_bank velo_bank e_transfer_pocztowy24 plus_bank etransfer_pocztowy24 banki_spbdzielcze bank_nowy_bfg_sa getin_bank blik noble_pay idea_bank
  envelo_bank nest_przelew mbank_mtransfer inteligo pbac_z_ipko bnp_paribas bank_pekao_sa volkswagen_bank alior_bank boz bangkok_bank krungsri_bank
  krung_thai_bank the_siam_commercial_bank kasikorn_bank open_bank_success open_bank_failure open_bank_cancelled aib bank_of_scotland danske_bank
  first_direct first_trust halifax lloyds monzo nat_west nationwide_bank royal_bank_of_scotland starling tsb_bank tesco_bank ulster_bank yoursafe n26
  nationale_nederlanden
`
  .trim()
  .split(/\s+/)

const names = (text: string): readonly string[] => text.trim().split(/\s+/)

/** By payment method type: the banks that checkouts offer as a choice. */
export const banksOf = {
  eps: names(`
    arzte_und_apotheker_bank austrian_anadi_bank_ag bank_austria bankhaus_carl_spangler bankhaus_schelhammer_und_schattera_ag bawag_psk_ag bks_bank_ag
    brull_kallmus_bank_ag btv_vier_lander_bank capital_bank_grawe_gruppe_ag dolomitenbank easybank_ag erste_bank_und_sparkassen
    hypo_alpeadriabank_international_ag hypo_noe_lb_fur_niederosterreich_u_wien hypo_oberosterreich_salzburg_steiermark hypo_tirol_bank_ag
    hypo_vorarlberg_bank_ag hypo_bank_burgenland_aktiengesellschaft marchfelder_bank oberbank_ag posojilnica_bank_e_gen
    raiffeisen_bankengruppe_osterreich schoellerbank_ag sparda_bank_wien volksbank_gruppe volkskreditbank_ag vr_bank_braunau`),
  ideal: names(`
    abn_amro asn_bank bunq handelsbanken ing knab moneyou n26 nationale_nederlanden rabobank regiobank revolut sns_bank triodos_bank van_lanschot
    yoursafe`),
  online_banking_czech_republic: names('ceska_sporitelna komercni_banka platnosc_online_karta_platnicza'),
  online_banking_fpx: names(`
    affin_bank agro_bank alliance_bank am_bank bank_of_china bank_islam bank_muamalat bank_rakyat bank_simpanan_nasional cimb_bank hong_leong_bank
    hsbc_bank kuwait_finance_house maybank ocbc_bank public_bank rhb_bank standard_chartered_bank uob_bank`),
  online_banking_poland: names(`
    blik_p_s_p place_z_i_p_k_o m_bank pay_with_i_n_g santander_przelew24 bank_p_e_k_a_o_s_a bank_millennium pay_with_alior_bank banki_spoldzielcze
    pay_with_inteligo b_n_p_paribas_poland bank_nowy_s_a credit_agricole pay_with_b_o_s pay_with_citi_handlowy pay_with_plus_bank toyota_bank
    velo_bank e_transfer_pocztowy24`),
  online_banking_slovakia: names('e_platby_v_u_b postova_banka sporo_pay tatra_pay viamo'),
  online_banking_thailand: names('bangkok_bank krungsri_bank krung_thai_bank the_siam_commercial_bank kasikorn_bank'),
  open_banking_uk: names(`
    aib bank_of_scotland barclays danske_bank first_direct first_trust halifax hsbc_bank lloyds monzo nat_west nationwide_bank revolut
    royal_bank_of_scotland santander_przelew24 starling tsb_bank tesco_bank ulster_bank open_bank_success open_bank_failure open_bank_cancelled`),
  przelewy24: names(`
    alior_bank bank_millennium bank_nowy_bfg_sa bank_pekao_sa banki_spbdzielcze blik bnp_paribas boz citi credit_agricole e_transfer_pocztowy24
    getin_bank idea_bank inteligo mbank_mtransfer nest_przelew noble_pay pbac_z_ipko plus_bank santander_przelew24 toyota_bank volkswagen_bank`),
} as const satisfies Readonly<Record<string, readonly string[]>>
