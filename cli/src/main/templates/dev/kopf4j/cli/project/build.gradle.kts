plugins {
    application
}

group = "{{group}}"
version = "0.1.0-SNAPSHOT"

repositories {
    mavenLocal()
    mavenCentral()
}

java {
    toolchain { languageVersion = JavaLanguageVersion.of(25) }
}

dependencies {
    implementation(platform("dev.kopf4j:kopf4j-bom:{{version}}"))
    implementation("dev.kopf4j:kopf4j-core")
    // Handlers can have a KubernetesClient and models; leave it out if yours have none.
    implementation("dev.kopf4j:kopf4j-fabric8")
    // Prints the log; take another backend of SLF4J if you like.
    runtimeOnly("ch.qos.logback:logback-classic:{{logback}}")
    testImplementation("dev.kopf4j:kopf4j-testing")
    testImplementation("org.junit.jupiter:junit-jupiter:{{junit}}")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:{{junit}}")
}

application {
    mainClass = "{{package}}.{{Kind}}Operator"
}

tasks.withType<JavaCompile>().configureEach {
    options.compilerArgs.add("-parameters") // handlers get arguments by the names of their parameters
}

tasks.test {
    useJUnitPlatform()
}

// As Maven's: build/libs/operator.jar beside build/libs/lib, for the Dockerfile.
tasks.jar {
    archiveFileName = "operator.jar"
    manifest {
        attributes(
            "Main-Class" to application.mainClass,
            "Class-Path" to configurations.runtimeClasspath.get().files.joinToString(" ") { "lib/" + it.name },
        )
    }
}

val libraries by tasks.registering(Copy::class) {
    from(configurations.runtimeClasspath)
    into(layout.buildDirectory.dir("libs/lib"))
}

tasks.assemble { dependsOn(libraries) }
