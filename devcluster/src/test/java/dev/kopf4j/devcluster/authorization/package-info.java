/** Tests of RBAC. */
@org.jspecify.annotations.NullMarked
package dev.kopf4j.devcluster.authorization;
