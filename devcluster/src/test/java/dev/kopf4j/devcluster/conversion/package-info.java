/** Tests of the conversion between versions. */
package dev.kopf4j.devcluster.conversion;
