/** Decides whether a user may do something: RBAC, default permissions, impersonation, access reviews. */
package dev.kopf4j.devcluster.authorization;
