export { AgentSetting } from './components/AgentSetting.tsx';
export { UpdateAgents } from './components/UpdateAgents.tsx';
