/** From a path to what answers it: health, version, discovery, resources. */
package dev.kopf4j.devcluster.route;
