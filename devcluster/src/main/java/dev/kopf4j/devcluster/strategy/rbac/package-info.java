/** The kinds of the group {@code rbac.authorization.k8s.io}: roles and bindings. */
package dev.kopf4j.devcluster.strategy.rbac;
