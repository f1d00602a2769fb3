/** The certificate authority of the cluster, and the certificates that it signs. */
package dev.kopf4j.devcluster.certificate;
