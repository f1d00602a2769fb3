/** Users, and the tokens of service accounts. */
package dev.kopf4j.devcluster.authentication;
