'use strict';
/* Serves the connections of the SUT to other services, and answers their requests as mocks.cjs has planned. */
// <modules>
// </modules>

module.exports = load('mock-server.cjs');
