/**
 * Decides whether a user may do something: RBAC, default permissions, impersonation, protection from privilege
 * escalation.
 */
package dev.kopf4j.devcluster.authorization;
