/** How objects and lists are shown: as themselves, as metadata only, as tables; by what the client accepts. */
package dev.kopf4j.devcluster.show;
