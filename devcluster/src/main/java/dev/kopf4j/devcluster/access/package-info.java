/** Who asks, and whether he may: authentication, RBAC, reviews of access. */
package dev.kopf4j.devcluster.access;
