import { exactRights } from '@caseway/contract/permission';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { CloudOff } from 'lucide-react';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { matchPath, Route, Routes } from 'react-router';
import { loadOwnRecord } from './features/portal/load-own-record.ts';
import { pathOfType, recoveryPath } from './features/users/paths.ts';
import { useKeptMark } from './kept/mark.ts';
import type { Door } from './loading/ahead.ts';
import { loadAhead, loadPartsAgain, part } from './loading/part.tsx';
import { atPatientDoor } from './session/tokens.ts';
import ShellOrSignIn, { loadShell } from './shell/Main.tsx';
import { profilePath, type Screen } from './shell/screens.ts';
import { ErrorBoundary } from './ui/ErrorBoundary.tsx';
import { Message } from './ui/Message.tsx';
import { WordsGate } from './words/WordsGate.tsx';

/*
 * The one place that assembles features. A screen is one entry here: its path, the key of its name, who may
 * see it, its place in the navigation, and how it is loaded.
 */
/** More screens for signed-out users. */
const doors = {
  recovery: {
    path: '/sign-in/recovery',
    title: 'signIn.cannot',
    load: () => import('./features/recovery/RecoverAccount.tsx'),
  },
  stop: {
    path: '/sign-in/stop',
    title: 'signIn.stop',
    load: () => import('./features/recovery/StopRecovery.tsx'),
  },
  demo: {
    path: '/sign-in/demo',
    title: 'signIn.demoTitle',
    load: () => import('./features/sign-in/DemoMessages.tsx'),
  },
};
const signInDoors = Object.values(doors).map(({ path, title, load }) => ({
  path,
  title,
  form: wordedForm(path, part(path, load)),
}));
function wordedForm(path: string, Form: ComponentType): ComponentType {
  return () => (
    <WordsGate screen={path}>
      <Form />
    </WordsGate>
  );
}

const Guide = part('guide', () => import('./features/settings/GuideSteps.tsx'));
const WaitingInvitations = part(
  'waiting-invitations',
  () => import('./features/portal/WaitingInvitations.tsx'),
);
const OffersNotice = part('offers', () => import('./features/profile/OffersNotice.tsx'));
export const screens: readonly Screen[] = [
  {
    path: '/',
    label: 'screen.home',
    menu: { group: 'work', icon: 'House' },
    load: async () => {
      const { Home } = await import('./features/home/Home.tsx');
      return { default: () => <Home screens={screens} guide={Guide} notice={OffersNotice} /> };
    },
  },
  {
    path: '/case-reports',
    label: 'screen.caseReports',
    purpose: 'screen.caseReportsPurpose',
    permission: 'case-reports/read',
    menu: { group: 'work', icon: 'ClipboardList' },
    words: ['case-reports', 'break-glass'],
    load: async () => {
      const { CaseReports } = await import('./features/case-reports/CaseReports.tsx');
      return {
        default: () => (
          <CaseReports
            waiting={
              <Suspense fallback={null}>
                <WaitingInvitations />
              </Suspense>
            }
          />
        ),
      };
    },
  },
  {
    path: '/case-reports/:id',
    label: 'screen.caseReport',
    permission: 'case-reports/read',
    words: [
      'case-reports',
      'case-rules',
      'treatments',
      'incident-reports',
      'contacts',
      'case-follow-ups',
      'partner-services',
      'telemedicine',
      'follow-up',
      'field-visits',
      'documents',
      'patient-portal',
      'break-glass',
    ],
    load: async () => {
      const [
        { CaseRecord },
        { CaseContacts },
        { FollowUpsOfCase },
        { CasePartners },
        { CaseVisits },
        { DocumentsOf },
        { BookVisit },
        { PatientPortal },
      ] = await Promise.all([
        import('./features/case-reports/CaseRecord.tsx'),
        import('./features/contacts/CaseContacts.tsx'),
        import('./features/contacts/FollowUpsOfCase.tsx'),
        import('./features/partner-services/PartnersOf.tsx'),
        import('./features/field-visits/CaseVisits.tsx'),
        import('./features/documents/DocumentsOf.tsx'),
        import('./features/telemedicine/BookVisit.tsx'),
        import('./features/portal/PatientPortal.tsx'),
      ]);
      return {
        default: () => (
          <CaseRecord
            ofPatient={(patientId) => <PatientPortal patientId={patientId} />}
            contacts={(caseId) => <CaseContacts caseId={caseId} />}
            followUps={(of) => <FollowUpsOfCase {...of} />}
            partners={(of) => <CasePartners {...of} />}
            visits={(about) => <CaseVisits about={about} />}
            documents={({ readOnly, ...about }) => <DocumentsOf about={about} readOnly={readOnly} />}
            videoVisit={(about) => <BookVisit about={about} />}
          />
        ),
      };
    },
  },
  {
    path: '/work-tasks',
    label: 'screen.workTasks',
    purpose: 'screen.workTasksPurpose',
    permission: 'case-reports/read',
    menu: { group: 'work', icon: 'ListTodo' },
    load: () => import('./features/work-tasks/WorkTasks.tsx'),
  },
  {
    path: '/patients',
    label: 'screen.patients',
    purpose: 'screen.patientsPurpose',
    permission: 'patients/read',
    menu: { group: 'work', icon: 'ContactRound' },
    load: () => import('./features/patients/Patients.tsx'),
  },
  {
    path: '/patients/:id',
    label: 'screen.patient',
    permission: 'patients/read',
    words: [
      'patients',
      'vaccinations',
      'documents',
      'case-reports',
      'treatments',
      'incident-reports',
      'contacts',
      'case-follow-ups',
      'partner-services',
      'telemedicine',
      'field-visits',
      'patient-portal',
    ],
    load: async () => {
      const [
        { PatientRecord },
        { VaccinationsOf },
        { DocumentsOf },
        { ReportIncident },
        { BookVisit },
        { AddVisit },
        { PatientPortal },
      ] = await Promise.all([
        import('./features/patients/PatientRecord.tsx'),
        import('./features/vaccinations/VaccinationsOf.tsx'),
        import('./features/documents/DocumentsOf.tsx'),
        import('./features/incident-reports/ReportIncident.tsx'),
        import('./features/telemedicine/BookVisit.tsx'),
        import('./features/field-visits/AddVisit.tsx'),
        import('./features/portal/PatientPortal.tsx'),
      ]);
      return {
        default: () => (
          <PatientRecord
            access={(patientId) => <PatientPortal patientId={patientId} />}
            vaccinations={(patientId) => <VaccinationsOf patientId={patientId} />}
            documents={(patientId) => <DocumentsOf about={{ patientId }} />}
            report={(person) => (
              <>
                <AddVisit about={person} />
                <ReportIncident about={person} />
                <BookVisit about={person} />
              </>
            )}
          />
        ),
      };
    },
  },
  {
    path: '/contacts',
    label: 'screen.contacts',
    purpose: 'screen.contactsPurpose',
    permission: 'contacts/read',
    menu: { group: 'work', icon: 'Waypoints' },
    words: ['contacts', 'follow-up'],
    load: () => import('./features/contacts/Contacts.tsx'),
  },
  {
    path: '/contacts/:id',
    label: 'screen.contact',
    permission: 'contacts/read',
    words: ['contacts', 'follow-up'],
    load: () => import('./features/contacts/ContactRecord.tsx'),
  },
  {
    path: '/case-follow-ups',
    label: 'screen.caseFollowUps',
    purpose: 'screen.caseFollowUpsPurpose',
    permission: 'contacts/read',
    menu: { group: 'work', icon: 'HeartPulse' },
    words: ['case-follow-ups', 'follow-up'],
    load: () => import('./features/contacts/CaseFollowUps.tsx'),
  },
  {
    path: '/case-follow-ups/:id',
    label: 'screen.caseFollowUp',
    permission: 'contacts/read',
    words: ['case-follow-ups', 'follow-up'],
    load: () => import('./features/contacts/CaseFollowUpRecord.tsx'),
  },
  {
    path: '/partner-services',
    label: 'screen.partnerServices',
    purpose: 'screen.partnerServicesPurpose',
    permission: 'partner-services/read',
    menu: { group: 'work', icon: 'HeartHandshake' },
    load: () => import('./features/partner-services/PartnerServices.tsx'),
  },
  {
    path: '/partner-services/:id',
    label: 'screen.partnerService',
    permission: 'partner-services/read',
    load: () => import('./features/partner-services/PartnerRecord.tsx'),
  },
  {
    path: '/field-visits',
    label: 'screen.fieldVisits',
    purpose: 'screen.fieldVisitsPurpose',
    permission: 'field-visits/read',
    menu: { group: 'work', icon: 'MapPinHouse' },
    load: () => import('./features/field-visits/FieldVisits.tsx'),
  },
  {
    path: '/field-visits/kept',
    label: 'screen.keptVisits',
    permission: 'field-visits/write',
    words: ['field-visits'],
    load: () => import('./features/field-visits/kept/KeptVisits.tsx'),
  },
  {
    path: '/field-visits/:id',
    label: 'screen.fieldVisit',
    permission: 'field-visits/read',
    load: () => import('./features/field-visits/VisitRecord.tsx'),
  },
  {
    path: '/incident-reports',
    label: 'screen.incidentReports',
    purpose: 'screen.incidentReportsPurpose',
    permission: 'incident-reports/read',
    menu: { group: 'work', icon: 'TriangleAlert' },
    load: () => import('./features/incident-reports/IncidentReports.tsx'),
  },
  {
    path: '/incident-reports/:id',
    label: 'screen.incidentReport',
    permission: 'incident-reports/read',
    words: ['incident-reports', 'work-tasks'],
    load: () => import('./features/incident-reports/IncidentRecord.tsx'),
  },
  {
    path: '/vaccinations',
    label: 'screen.vaccinations',
    purpose: 'screen.vaccinationsPurpose',
    permission: 'vaccinations/read',
    menu: { group: 'work', icon: 'Syringe' },
    words: ['vaccinations', 'incident-reports'],
    load: () => import('./features/vaccinations/Vaccinations.tsx'),
  },
  {
    path: '/documents',
    label: 'screen.documents',
    purpose: 'screen.documentsPurpose',
    permission: 'documents/read',
    menu: { group: 'work', icon: 'FolderOpen' },
    load: () => import('./features/documents/Documents.tsx'),
  },
  {
    path: '/telemedicine',
    label: 'screen.telemedicine',
    purpose: 'screen.telemedicinePurpose',
    permission: 'telemedicine/read',
    menu: { group: 'work', icon: 'Video' },
    load: () => import('./features/telemedicine/TelemedicineVisits.tsx'),
  },
  {
    path: '/telemedicine/availability',
    label: 'screen.availability',
    permission: 'telemedicine/read',
    load: () => import('./features/telemedicine/Availability.tsx'),
  },
  {
    path: '/telemedicine/:id',
    label: 'screen.telemedicineVisit',
    permission: 'telemedicine/read',
    load: () => import('./features/telemedicine/VisitRecord.tsx'),
  },
  {
    path: '/sample-shipments',
    label: 'screen.sampleShipments',
    purpose: 'screen.sampleShipmentsPurpose',
    permission: 'sample-shipments/read',
    menu: { group: 'work', icon: 'Package' },
    load: () => import('./features/sample-shipments/SampleShipments.tsx'),
  },
  {
    path: '/sample-shipments/unassigned',
    label: 'screen.unassignedSpecimens',
    permission: 'sample-shipments/read',
    load: () => import('./features/sample-shipments/UnassignedSpecimens.tsx'),
  },
  {
    path: '/sample-shipments/storage',
    label: 'screen.specimenStorage',
    permission: 'sample-shipments/read',
    words: ['sample-shipments', 'storage'],
    load: () => import('./features/sample-shipments/storage/Storage.tsx'),
  },
  {
    path: '/sample-shipments/storage/:id',
    label: 'screen.storageBox',
    permission: 'sample-shipments/read',
    words: ['sample-shipments', 'storage'],
    load: () => import('./features/sample-shipments/storage/StorageBoxScreen.tsx'),
  },
  {
    path: '/sample-shipments/custody/:id',
    label: 'screen.specimenCustody',
    permission: 'sample-shipments/read',
    words: ['sample-shipments', 'storage'],
    load: () => import('./features/sample-shipments/storage/Custody.tsx'),
  },
  {
    path: '/sample-shipments/:id',
    label: 'screen.sampleShipment',
    permission: 'sample-shipments/read',
    load: () => import('./features/sample-shipments/ShipmentRecord.tsx'),
  },
  {
    path: '/analytics/testing',
    label: 'screen.testingAnalytics',
    purpose: 'screen.testingAnalyticsPurpose',
    permission: 'testing-analytics/read',
    menu: { group: 'analytics', icon: 'ChartNoAxesColumn' },
    words: ['analytics', 'charts', 'dashboards/testing'],
    load: () => import('./features/testing-analytics/TestingAnalytics.tsx'),
  },
  {
    path: '/analytics/testing/records',
    label: 'screen.testingRecords',
    permission: 'line-lists/read',
    feature: 'testing-analytics',
    load: () => import('./features/testing-analytics/TestingRecords.tsx'),
  },
  {
    path: '/analytics/sti',
    label: 'screen.stiAnalytics',
    purpose: 'screen.stiAnalyticsPurpose',
    permission: 'sti-analytics/read',
    menu: { group: 'analytics', icon: 'ChartColumn' },
    words: ['analytics', 'charts', 'dashboards/sti'],
    load: () => import('./features/sti-analytics/StiAnalytics.tsx'),
  },
  {
    path: '/analytics/sti/treatments',
    label: 'screen.treatments',
    permission: 'line-lists/read',
    feature: ['sti-analytics', 'case-reports'],
    words: ['treatments', 'analytics'],
    load: () => import('./features/sti-analytics/TreatmentRecords.tsx'),
  },
  {
    path: '/analytics/case-reports',
    label: 'screen.caseReportAnalytics',
    purpose: 'screen.caseReportAnalyticsPurpose',
    permission: 'case-report-analytics/read',
    menu: { group: 'analytics', icon: 'ChartNoAxesCombined' },
    words: ['analytics', 'charts', 'dashboards/case-reports', 'case-reports'],
    load: async () => {
      const { CaseReportAnalytics } = await import(
        './features/case-report-analytics/CaseReportAnalytics.tsx'
      );
      return { default: CaseReportAnalytics };
    },
  },
  {
    path: '/analytics/tenant-case-reports',
    label: 'screen.tenantCaseReports',
    purpose: 'screen.tenantCaseReportsPurpose',
    permission: 'tenant-case-report-analytics/read',
    menu: { group: 'analytics', icon: 'ChartNoAxesGantt' },
    words: ['analytics', 'charts', 'dashboards/case-reports', 'case-reports'],
    load: async () => {
      const { TenantCaseReportAnalytics } = await import(
        './features/case-report-analytics/CaseReportAnalytics.tsx'
      );
      return { default: TenantCaseReportAnalytics };
    },
  },
  {
    path: '/analytics/operations',
    label: 'screen.operations',
    purpose: 'screen.operationsPurpose',
    permission: 'operations-analytics/read',
    menu: { group: 'analytics', icon: 'Gauge' },
    words: ['analytics', 'charts', 'dashboards/operations', 'case-reports', 'work-tasks', 'sample-shipments'],
    load: () => import('./features/operations-analytics/OperationsAnalytics.tsx'),
  },
  {
    path: '/analytics/hiv',
    label: 'screen.hivAnalytics',
    purpose: 'screen.hivAnalyticsPurpose',
    permission: 'hiv-analytics/read',
    menu: { group: 'analytics', icon: 'Ribbon' },
    words: ['analytics', 'charts', 'dashboards/hiv'],
    load: () => import('./features/hiv-analytics/HivAnalytics.tsx'),
  },
  {
    path: '/analytics/hiv/records',
    label: 'screen.hivTests',
    permission: 'line-lists/read',
    feature: 'hiv-analytics',
    words: ['testing-analytics'],
    load: () => import('./features/hiv-analytics/HivTests.tsx'),
  },
  {
    path: '/analytics/incident-reports',
    label: 'screen.incidentReportAnalytics',
    purpose: 'screen.incidentReportAnalyticsPurpose',
    permission: 'incident-report-analytics/read',
    menu: { group: 'analytics', icon: 'Syringe' },
    words: ['analytics', 'charts', 'dashboards/incident-reports', 'incident-reports'],
    load: () => import('./features/incident-analytics/IncidentAnalytics.tsx'),
  },
  {
    path: '/analytics/field-visits',
    label: 'screen.fieldVisitAnalytics',
    purpose: 'screen.fieldVisitAnalyticsPurpose',
    permission: 'field-visit-analytics/read',
    menu: { group: 'analytics', icon: 'Footprints' },
    words: ['analytics', 'charts', 'dashboards/field-visits', 'field-visits'],
    load: () => import('./features/visit-analytics/FieldVisitAnalytics.tsx'),
  },
  {
    path: '/analytics/telemedicine',
    label: 'screen.telemedicineAnalytics',
    purpose: 'screen.telemedicineAnalyticsPurpose',
    permission: 'telemedicine-analytics/read',
    menu: { group: 'analytics', icon: 'MonitorPlay' },
    words: ['analytics', 'charts', 'dashboards/telemedicine', 'telemedicine'],
    load: () => import('./features/visit-analytics/TelemedicineAnalytics.tsx'),
  },
  {
    path: '/analytics/partner-services',
    label: 'screen.partnerServiceAnalytics',
    purpose: 'screen.partnerServiceAnalyticsPurpose',
    permission: 'partner-service-analytics/read',
    menu: { group: 'analytics', icon: 'ChartNetwork' },
    words: ['analytics', 'charts', 'dashboards/partner-services', 'partner-services'],
    load: () => import('./features/partner-services/PartnerAnalytics.tsx'),
  },
  {
    path: '/weekly-cases',
    label: 'screen.weeklyCases',
    purpose: 'screen.weeklyCasesPurpose',
    permission: exactRights,
    feature: ['case-reports', 'weekly-cases'],
    menu: { group: 'analytics', icon: 'CalendarDays' },
    load: () => import('./features/weekly-cases/WeeklyCases.tsx'),
  },
  {
    path: '/imports',
    label: 'screen.imports',
    purpose: 'screen.importsPurpose',
    permission: 'imports/read',
    feature: 'imports',
    menu: { group: 'work', icon: 'FileInput' },
    load: () => import('./features/imports/Imports.tsx'),
  },
  {
    path: '/imports/codes',
    label: 'screen.importCodes',
    permission: 'imports/read',
    feature: 'imports',
    load: () => import('./features/imports/Codes.tsx'),
  },
  {
    path: '/imports/pairs',
    label: 'screen.importPairs',
    permission: 'patients/merge',
    feature: 'imports',
    load: () => import('./features/imports/Pairs.tsx'),
  },
  {
    path: '/inbox',
    label: 'screen.inbox',
    permission: 'general/other',
    words: ['inbox', 'work-tasks'],
    load: () => import('./features/inbox/Inbox.tsx'),
  },
  {
    path: '/files',
    label: 'screen.files',
    permission: 'general/other',
    words: ['exported-files', 'inbox'],
    load: () => import('./features/exported-files/ExportedFiles.tsx'),
  },
  {
    path: profilePath,
    label: 'screen.profile',
    withoutSecondFactor: true,
    load: () => import('./features/profile/Profile.tsx'),
  },
  {
    path: '/imports/:id',
    label: 'screen.import',
    permission: 'imports/read',
    feature: 'imports',
    load: () => import('./features/imports/ImportRecord.tsx'),
  },
  {
    path: '/admin/users',
    label: 'screen.users',
    purpose: 'screen.usersPurpose',
    permission: 'users/read',
    menu: { group: 'administration', icon: 'Users' },
    load: async () => ({ default: (await import('./features/users/Users.tsx')).UsersOfMine }),
  },
  ...(['T', 'O', 'F', 'PHJ'] as const).map(
    (orgType): Screen => ({
      path: pathOfType[orgType],
      label: 'screen.users',
      permission: 'users/read',
      load: async () => {
        const [{ Users }, { WaitingRecoveries }] = await Promise.all([
          import('./features/users/Users.tsx'),
          import('./features/recovery/WaitingRecoveries.tsx'),
        ]);
        const notice = <WaitingRecoveries path={recoveryPath} />;
        return { default: () => <Users orgType={orgType} notice={notice} /> };
      },
    }),
  ),
  {
    path: '/admin/users/table',
    label: 'screen.userTable',
    permission: 'users/write',
    load: () => import('./features/users/UserTable.tsx'),
  },
  {
    path: recoveryPath,
    label: 'screen.recoveries',
    permission: 'users/write',
    load: async () => {
      const [{ Recoveries }, { UsersNavigation }] = await Promise.all([
        import('./features/recovery/Recoveries.tsx'),
        import('./features/users/parts.tsx'),
      ]);
      return { default: () => <Recoveries navigation={<UsersNavigation />} /> };
    },
  },
  // Links in recovery messages lead here, for signed-in users too.
  ...Object.values(doors).map(
    ({ path, title, load }): Screen => ({
      path,
      label: title,
      withoutSecondFactor: true,
      load: async () => {
        const [{ default: Door }, { RecoveryScreen }] = await Promise.all([
          load(),
          import('./features/recovery/RecoveryScreen.tsx'),
        ]);
        return { default: () => <RecoveryScreen title={title} form={<Door />} /> };
      },
    }),
  ),
  {
    path: '/admin/roles',
    label: 'screen.roles',
    purpose: 'screen.rolesPurpose',
    permission: 'users/read',
    menu: { group: 'administration', icon: 'ShieldCheck' },
    load: () => import('./features/roles/Roles.tsx'),
  },
  {
    path: '/admin/roles/check',
    label: 'screen.checkAccess',
    permission: 'users/read',
    load: () => import('./features/roles/CheckAccess.tsx'),
  },
  {
    path: '/admin/roles/:id',
    label: 'screen.role',
    permission: 'users/read',
    load: () => import('./features/roles/EditRole.tsx'),
  },
  ...(
    ['organizations', 'facilities', 'jurisdictions', 'programs', 'tasks', 'teams', 'locations'] as const
  ).map(
    (name): Screen => ({
      path: `/${name}`,
      label: name === 'organizations' ? 'screen.places' : `screen.${name}`,
      permission: 'settings/write',
      ...(name === 'organizations'
        ? { purpose: 'screen.placesPurpose', menu: { group: 'administration', icon: 'Building2' } as const }
        : {}),
      load: async () => {
        const [{ PlaceScreen }, { PlaceFeatures }] = await Promise.all([
          import('./features/places/PlaceScreen.tsx'),
          import('./features/settings/PlaceFeatures.tsx'),
        ]);
        const acts = ['organizations', 'facilities', 'jurisdictions'].includes(name);
        return {
          default: () => (
            <PlaceScreen
              key={name}
              name={name}
              {...(acts && { features: (id: string) => <PlaceFeatures key={id} id={id} /> })}
            />
          ),
        };
      },
    }),
  ),
  {
    path: '/reporting',
    label: 'screen.reporting',
    permission: 'settings/write',
    load: () => import('./features/places/Reporting.tsx'),
  },
  {
    path: '/admin/audit',
    label: 'screen.audit',
    purpose: 'screen.auditPurpose',
    permission: 'audit/read',
    menu: { group: 'administration', icon: 'ScrollText' },
    load: () => import('./features/audit/Audit.tsx'),
  },
  {
    path: '/admin/privacy',
    label: 'screen.privacy',
    purpose: 'screen.privacyPurpose',
    permission: 'privacy/officer',
    menu: { group: 'administration', icon: 'ShieldAlert' },
    load: () => import('./features/break-glass/Privacy.tsx'),
  },
  {
    path: '/admin/tenants',
    label: 'screen.tenants',
    purpose: 'screen.tenantsPurpose',
    permission: 'tenants/write',
    menu: { group: 'administration', icon: 'Building2' },
    load: () => import('./features/system/Tenants.tsx'),
  },
  {
    path: '/admin/system',
    label: 'screen.systemHealth',
    purpose: 'screen.systemHealthPurpose',
    permission: 'system/read',
    menu: { group: 'administration', icon: 'Activity' },
    load: () => import('./features/system/SystemHealth.tsx'),
  },
  {
    path: '/admin/settings',
    label: 'screen.settings',
    purpose: 'screen.settingsPurpose',
    permission: 'settings/write',
    menu: { group: 'administration', icon: 'Settings2' },
    load: loadSettings,
  },
  {
    path: '/admin/settings/:section',
    label: 'screen.settings',
    permission: 'settings/write',
    load: loadSettings,
    parts: () => import('./features/settings/sections.ts'),
  },
];

async function loadSettings() {
  const [{ default: Settings }, { HeldResultRules }, { PatientWordsReview }] = await Promise.all([
    import('./features/settings/Settings.tsx'),
    import('./features/portal/HeldResultRules.tsx'),
    import('./features/portal/PatientWordsReview.tsx'),
  ]);
  const results = (
    <>
      <PatientWordsReview />
      <HeldResultRules />
    </>
  );
  return { default: () => <Settings results={results} /> };
}

// People who are already signed in never load the sign-in.
async function loadSignIn() {
  const { SignIn: Screen } = await import('./features/sign-in/SignIn.tsx');
  return {
    default: () => <Screen doors={signInDoors} recovery={doors.recovery.path} demoPage={doors.demo.path} />,
  };
}
const SignIn = part('sign-in', loadSignIn);
const SignInForm = part('sign-in', () => import('./features/sign-in/SignInForm.tsx'));
const loadPortal = () => import('./features/portal/Portal.tsx');
const Portal = part('portal', loadPortal);
/** The first screens of signed-out users; the build writes them into the page. */
export const doorScreens: Readonly<Record<Door, ComponentType>> = { signIn: SignIn, patientSignIn: Portal };
const Main = atPatientDoor
  ? Portal
  : () => (
      <ShellOrSignIn
        screens={screens}
        signIn={SignIn}
        signInForm={SignInForm}
        bar={Bar}
        withoutNetwork={WithoutNetwork}
      />
    );

const KeptBar = part('kept-bar', () => import('./features/field-visits/kept/KeptBar.tsx'));
const WithoutNetwork = part('kept', () => import('./features/field-visits/kept/WithoutNetwork.tsx'));
/** Unsent work; few users work offline. */
const Bar = () => (
  <Box role="status" className="no-print">
    {useKeptMark() ? (
      <Suspense fallback={null}>
        <KeptBar />
      </Suspense>
    ) : null}
  </Box>
);

/** The main screen, with an empty placeholder while it loads. [S2.1] */
function MainRoute() {
  const { t } = useTranslation();
  return (
    <ErrorBoundary
      fallback={(_error, forget) => (
        <Message
          icon={CloudOff}
          level="h1"
          title={t('screen.chunkTitle')}
          actions={
            <>
              <Button
                variant="contained"
                onClick={() => {
                  loadPartsAgain();
                  forget();
                }}
              >
                {t('action.retry')}
              </Button>
              <Button variant="outlined" onClick={() => window.location.reload()}>
                {t('action.reload')}
              </Button>
            </>
          }
        >
          <span role="alert">{t('screen.chunk')}</span>
        </Message>
      )}
    >
      <Suspense fallback={null}>
        <Main />
      </Suspense>
    </ErrorBoundary>
  );
}

/**
 * Immediately requests the parts of an address's screen, while the session is renewed and the first texts
 * load: on a slow line, a round trip that waits for another costs more than its bytes. Returns the namespaces
 * of the screen's texts.
 */
export function beginScreen(pathname: string, { signedIn }: { signedIn: boolean }): readonly string[] {
  if (atPatientDoor) {
    loadAhead(loadPortal);
    if (signedIn) loadAhead(loadOwnRecord);
    return ['portal'];
  }
  if (!signedIn) {
    loadAhead(loadSignIn);
    return ['sign-in'];
  }
  loadAhead(loadShell);
  const screen = screens.find(({ path }) => matchPath(path, pathname));
  if (screen) loadAhead(screen.load);
  return screen?.words ?? [];
}

/** One route matches every path. [S2.1] */
export function AppRoutes() {
  return (
    <Routes>
      <Route path="*" element={<MainRoute />} />
    </Routes>
  );
}
