/**
 * Laboratories' texts for a test that finds one thing or does not, grouped by the answer that a person reads in
 * them; one per line. The first half was written before the reader that they test.
 */
export const answeredTexts: Readonly<Record<string, string>> = {
  positive: `
Detected
DETECTED
Detected.
Detected (A)
DETECTED!
Positive
POSITIVE
POS
Pos
+
Positive *
Positive (abnormal)
POSITIVE A
Reactive
REACTIVE
Reactive 1:8
Reactive, titer 1:64
Reactive at 1:32 dilution
Strongly positive
Strong positive
High positive
Repeatedly reactive
Repeatedly Reactive
Positive, confirmed
Confirmed positive
Positive by PCR
Present
Antigen present
Antibody present
Antibodies detected
HIV-1 antibodies detected
HIV-1 RNA detected
HIV-1 RNA detected, <20 copies/mL
Detected, below the limit of quantification
Hepatitis C antibody reactive
HCV RNA detected
HBsAg positive, confirmed by neutralization
Chlamydia trachomatis detected
Chlamydia trachomatis DNA detected
Positive for Chlamydia trachomatis
Neisseria gonorrhoeae rRNA detected by NAA
SARS-CoV-2 RNA detected
SARS-CoV-2 detected. Results should be interpreted with clinical findings.
Positive for 2019-nCoV
Influenza A virus RNA: Detected
Influenza A detected
RSV antigen: Positive
Result: Positive
Result: DETECTED
Interpretation: Reactive
Final result: Positive
FINAL: POSITIVE
Test is positive
The specimen is positive for Bordetella pertussis DNA
Bordetella pertussis DNA was detected
Bordetella pertussis DNA was detected in this specimen.
Positive. False positive results may occur in low prevalence populations.
Positive. A negative result would not exclude infection.
Positive result. Confirmatory testing is recommended.
Detected. This test does not distinguish between live and dead organisms.
Reactive. Not for use as a sole basis for diagnosis.
Positive (no further testing needed)
MTB complex detected
MTB detected, rifampin resistance not detected
Trichomonas vaginalis seen
Acid-fast bacilli seen
AFB seen, 2+
AFB present, 3+
Few acid-fast bacilli seen
Rare acid-fast bacilli seen
1+ acid-fast bacilli
Many acid fast bacilli seen
Ova of Ascaris lumbricoides seen
Giardia cysts seen
Positive. No other pathogens detected.
SARS-CoV-2 detected; all other targets not detected
Chlamydia trachomatis detected, no other organisms found
Cryptosporidium oocysts detected
Plasmodium falciparum ring forms seen
Malaria parasites present
Shiga toxin 2 detected
Legionella pneumophila serogroup 1 antigen positive
Positive for Legionella antigen
Cyclospora cayetanensis oocysts present
Entamoeba histolytica antigen detected
Treponemal antibodies present
2+
Chlamydia trachomatis rRNA: DETECTED
C. trachomatis: Positive
HCV Ab: Reactive
HIV Ag/Ab combo: REACTIVE
Detected. Ct value 24.3
Detected, Ct 31
Positive; refer to the treating physician
Positive. Recommend repeat testing in 3 months.
Detected. Clinical correlation is recommended.
POSITIVE. Reported to the health department.
Positive. Called to Dr. Nguyen at 14:30
SARS-CoV-2 RNA detected. This test was developed and its performance characteristics determined by the laboratory.
Detected. Reference range: Not Detected
Reactive (Reference: Nonreactive)
RESULT: POSITIVE
Bordetella pertussis: detected. Bordetella parapertussis: see separate result
Antibodies to Treponema pallidum are present
Treponemal antibody detected by TP-PA
Dengue NS1 antigen detected
Dengue virus NS1 Ag POSITIVE
West Nile virus IgM antibody present in CSF
Hantavirus IgM positive
Measles IgM: Positive
Toxin A/B positive
Shiga toxin 2 gene (stx2) detected
Norovirus GII detected
Rotavirus antigen positive
Beta-lactamase: positive
Cryptosporidium antigen positive
Malaria antigen detected
Numerous acid-fast bacilli seen
1+ AFB
Positive (4+)
Positive for group A Streptococcus antigen
`,
  'weak-positive': `
Weakly reactive
Weakly positive
Weak positive
Low positive
Weakly positive, repeat suggested
WEAK REACTIVE
Positive, weak
`,
  'presumptive-positive': `
Presumptive positive
PRESUMPTIVE POSITIVE
Positive (presumptive)
Presumptively positive
Preliminary positive
Preliminary reactive
Presumptive reactive
Preliminary: Positive
Positive, pending confirmation
Reactive, confirmation to follow
Positive, awaiting confirmation
Reactive, confirmatory testing pending
Preliminary report: Positive
Reactive (preliminary)
Presumptive positive. Confirmation pending.
Presumptively reactive
`,
  negative: `
Not detected
NOT DETECTED
Not Detected.
not detected
Not-detected
NotDetected
Non detected
None detected
Undetected
Undetectable
Target not detected
TARGET NOT DETECTED
TND
RNA not detected
HIV-1 RNA not detected
HIV-1 RNA undetectable
HIV RNA, target not detected
<20 copies/mL, target not detected
Negative
NEGATIVE
NEG
neg
Neg.
-negative-
Negative *
Negative (normal)
Nonreactive
Non-reactive
NON REACTIVE
Non reactive
Not reactive
NON-REACTIVE (NORMAL)
Absent
Not present
Antibody absent
No antibodies detected
No antibody detected
No HIV-1 or HIV-2 antibodies detected
HIV-1 and HIV-2 antibodies were not detected
No laboratory evidence of HIV infection
No evidence of infection
No serologic evidence of Lyme disease
No serological evidence of past or current infection
Negative for Chlamydia trachomatis
Negative for Neisseria gonorrhoeae by NAA
Negative for SARS-CoV-2
Negative for both Chlamydia and gonorrhea
SARS-CoV-2 RNA not detected
SARS-CoV-2 not detected. A negative result does not rule out infection.
Not detected. Negative results do not preclude infection and should not be used as the sole basis for treatment.
Negative. Repeat in 2 weeks if symptoms persist.
Negative; a positive result would have been confirmed.
Negative - if clinically indicated collect a second specimen
Result: Negative
Result: Not Detected
Interpretation: Non-reactive
Final: negative
Test is negative
The specimen is negative for Bordetella pertussis DNA
Bordetella pertussis DNA was not detected
Bordetella pertussis DNA was not detected in this specimen.
No Bordetella pertussis DNA detected
No Chlamydia trachomatis DNA detected
HBsAg negative
HBsAg nonreactive
HCV antibody nonreactive
Hepatitis B surface antigen not detected
RPR nonreactive
Syphilis antibody, non-reactive
No growth
NO GROWTH
No growth after 5 days
No growth at 48 hours
No growth to date, final
No growth x 5 days
No Growth, Final Report
Culture negative
No organisms seen
No acid-fast bacilli seen
No acid fast bacilli observed
No AFB seen
AFB not seen
None seen
Not seen
No ova or parasites seen
No ova, cysts or parasites seen
No parasites found
No malaria parasites seen
No Plasmodium seen on thick or thin smear
No Babesia seen
No Trichomonas seen
No Salmonella isolated
No Salmonella, Shigella or Campylobacter isolated
No Salmonella, Shigella, Campylobacter, or E. coli O157 isolated
Salmonella not isolated
Salmonella and Shigella not isolated
No enteric pathogens isolated
No pathogens isolated
Nothing detected
Nil detected
Nothing isolated
None positive
Sin virus detectado
Sin presencia de ADN
Sin evidencia de infección
Ningún virus detectado
No hay crecimiento de Salmonella
No hay evidencia de anticuerpos
No es reactivo
No positivo
ADN no detectado
Absence de virus détecté
Aucun virus détecté
Aucune présence de virus
Pas réactif
Pas positif
Viris la pa te detekte
Yo pa te jwenn viris la
Pa gen viris detekte
Okenn viris pa detekte
Pa pozitif
Negative. No other pathogens detected.
No pathogenic organisms isolated
No Neisseria gonorrhoeae isolated
Neisseria gonorrhoeae not isolated after 72 hours
No N. gonorrhoeae recovered
No Legionella isolated
No mycobacteria isolated after 8 weeks
No Mycobacterium tuberculosis complex isolated
Mycobacterium tuberculosis complex not detected
No group A streptococci isolated
No beta-hemolytic streptococci isolated
Normal flora
Normal enteric flora; no Salmonella or Shigella isolated
Normal respiratory flora
Usual throat flora, no group A Streptococcus isolated
No virus isolated
No virus detected
Virus not isolated
No Shiga toxin detected
Shiga toxins 1 and 2 not detected
No Clostridium difficile toxin detected
Toxigenic C. difficile not detected
No longer detected
No significant growth
Failed to detect Legionella antigen
No influenza A or B antigen detected
Influenza A: not detected; Influenza B: not detected
Influenza A negative, influenza B negative
HIV-1 Ab negative; HIV-2 Ab negative; p24 antigen negative
Did not grow any Salmonella or Shigella
Presumed negative
Presumptive negative
Chlamydia trachomatis rRNA: NOT DETECTED
C. trachomatis: Negative
HCV Ab: Non-Reactive
HIV Ag/Ab combo: NONREACTIVE
HIV-1/HIV-2 antibodies not detected
Not Detected. Reference range: Not Detected
Negative (Reference range: Negative)
Negative. This test was developed and its performance characteristics determined by the laboratory.
Negative. This test does not differentiate between HSV-1 and HSV-2.
Not detected; a low-level infection cannot be ruled out.
No SARS-CoV-2 RNA was detected in this sample
SARS-CoV-2 NOT DETECTED by RT-PCR
2019-nCoV not detected
Negative for SARS-CoV-2 RNA by PCR
Negative for influenza A, influenza B and RSV
Influenza A and B antigens not detected
Negative for Group A Strep
No Group A Strep isolated
No N gonorrhoeae isolated
No GC isolated
GC culture: no growth
Ova and parasites: none seen
No ova or parasites found in concentrate or trichrome stain
No parasites identified
No Cyclospora seen
No Cryptosporidium or Giardia antigen detected
Malaria smear negative
No intracellular organisms identified
No gram-negative diplococci seen
No gram-negative intracellular diplococci observed
AFB smear negative
No AFB observed on concentrated smear
No acid-fast bacilli found
Culture: no mycobacterium growth at 8 weeks
No growth after 42 days
NO GROWTH FINAL
No growth of Legionella after 7 days
No beta-lactamase detected
No toxin detected
Toxin negative
No IgM antibodies detected
IgM not detected
IgM: Negative
Antibody to hepatitis C virus not detected
Hepatitis A IgM antibody: Non reactive
HBV DNA not detected
HBV DNA: Target Not Detected
HIV-1 RNA: not detected (<20 copies/mL)
No reportable pathogens detected
No enteric bacterial pathogens detected by PCR
All targets not detected
Negative x 3
Negative. No further testing needed.
Negative; no additional testing
Nonreactive. No serological evidence of syphilis.
Presumptively negative
Neg for strep
test negative
Negative. Internal control valid.
Internal control positive. Target not detected
Negative result
Result is negative
The result is Negative.
No Mycobacterium tuberculosis DNA detected
MTB not detected
MTB NOT DETECTED; rifampin resistance not applicable
No Trichomonas vaginalis seen on wet mount
Trichomonas: none seen
Not isolated
No Salmonella
Absence of Chlamydia trachomatis DNA
`,
  inconclusive: `
Inconclusive
INCONCLUSIVE
Inconclusive. Please submit a new specimen.
Undetermined
Neither positive nor negative
SARS-CoV-2 inconclusive
Not positive or negative
Inconclusive, recommend recollection
Result inconclusive
Neither reactive nor nonreactive
`,
  indeterminate: `
Indeterminate
INDETERMINATE
Indeterminant
IND
Indeterminate (neither positive nor negative)
HIV-1 indeterminate
HIV-1 antibody indeterminate
Result: Indeterminate
HIV-2 antibodies indeterminate
Mycobacterium tuberculosis: indeterminate
HIV-2 indeterminate. Recommend repeat in 4 weeks.
HIV-1 Western blot: INDETERMINATE
`,
  equivocal: `
Equivocal
EQUIVOCAL
Equiv
Equivocal, repeat in 2 weeks
Borderline
Borderline positive
Gray zone
Grey zone
Grayzone
Equivocal: neither detected nor excluded
Test result is equivocal
Equivocal (0.9-1.09)
Borderline reactive
Borderline negative
IgM equivocal
`,
  'not-done': `
Test not performed
TEST NOT PERFORMED
Test not done
Not done
Not performed
TNP
Cancelled
CANCELED
Test cancelled
Test canceled by physician
Order cancelled
Duplicate order, test not performed
Unable to perform test
Could not be performed
No results available
Not tested
Test not performed, see comment
Not performed: wrong container
Testing not performed
Cancelled by provider
CANCELLED - duplicate
Not done - specimen lost
`,
  unsatisfactory: `
QNS
Quantity not sufficient
Quantity not sufficient for testing
Insufficient specimen
Insufficient quantity
Specimen insufficient
Specimen rejected
Specimen rejected: hemolyzed
REJECTED
Unsatisfactory
Unsatisfactory specimen
Unsatisfactory specimen for testing
Specimen unsatisfactory
Specimen leaked in transit
Specimen too old
Specimen received unlabeled
No specimen received
Specimen not received
Specimen contaminated
Improper specimen
Wrong specimen type received
Specimen rejected due to leakage
Sample rejected
Rejected - unlabeled
QNS for confirmatory testing
Specimen hemolyzed
Unsatisfactory: dried swab
Insufficient volume for analysis
`,
  invalid: `
Invalid
INVALID
Invalid result
Invalid. Internal control failed.
PCR inhibition
Inhibitory substances present
No result
Invalid, recollect
Invalid - internal control failed
Invalid result due to inhibition
No result - instrument error
`,
  pending: `
Pending
PENDING
Result pending
To follow
Final report to follow
Culture in progress
No growth to date
No growth to date, preliminary
Testing in progress
Preliminary: no growth to date
No growth to date, culture in progress
`,
};
