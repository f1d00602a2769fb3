/**
 * Decides whether a user may do something: {@link AccessControl} (also on behalf of others), which asks
 * {@link RbacAuthorizer}; {@link PrivilegeEscalationCheck} keeps users from giving away what they do not have.
 */
package dev.kopf4j.devcluster.authorization;
