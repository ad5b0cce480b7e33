export { serveAgentFiles } from './agent-files.ts';
export { createChallenges } from './challenges.ts';
export { registerDeviceRoutes } from './device.routes.ts';
export { createEnrolmentsRepository, type Enrolment } from './enrolments.repository.ts';
export { createEnrolmentsService, type EnrolmentsService } from './enrolments.service.ts';
export { createLinkEntrance } from './link-entrance.ts';
export { createLinks, type Links } from './links.ts';
export { createPresenceRepository } from './presence.repository.ts';
export { createPresence, type Presence } from './presence.ts';
