/** Tests of admission. */
package dev.kopf4j.devcluster.admission;
